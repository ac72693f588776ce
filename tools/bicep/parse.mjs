// Parses every Bicep file that it is given and prints each error as file:line:column, found by an independent grammar (tree-sitter-bicep).
// Exit code 1 when there is one. Syntax only: handler/internal/infratest checks names, values and what depends on what.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Parser from 'web-tree-sitter'

const require = createRequire(import.meta.url)
await Parser.init()
const parser = new Parser()
parser.setLanguage(await Parser.Language.load(require.resolve('tree-sitter-bicep/tree-sitter-bicep.wasm')))

let errors = 0
for (const file of process.argv.slice(2)) {
  const tree = parser.parse(readFileSync(file, 'utf8'))
  const walk = (node) => {
    if (node.type === 'ERROR' || node.isMissing) {
      errors++
      const { row, column } = node.startPosition
      console.log(`${file}:${row + 1}:${column + 1}: ${node.isMissing ? 'missing ' + node.type : 'syntax error near ' + JSON.stringify(node.text.slice(0, 40))}`)
      return
    }
    if (node.hasError) node.children.forEach(walk)
  }
  walk(tree.rootNode)
  tree.delete()
}
process.exit(errors ? 1 : 0)
