package code

// byExtension names languages as Markdown's info strings usually do.
var byExtension = map[string]string{
	".go": "go", ".py": "python", ".pyw": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "jsx",
	".ts": "typescript", ".tsx": "tsx", ".java": "java", ".kt": "kotlin", ".kts": "kotlin", ".scala": "scala", ".groovy": "groovy",
	".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hh": "cpp", ".hpp": "cpp", ".cs": "csharp", ".fs": "fsharp",
	".vb": "vbnet", ".rs": "rust", ".swift": "swift", ".m": "objectivec", ".mm": "objectivec", ".rb": "ruby", ".php": "php", ".pl": "perl",
	".pm": "perl", ".lua": "lua", ".r": "r", ".jl": "julia", ".sh": "bash", ".bash": "bash", ".zsh": "zsh", ".fish": "fish",
	".ps1": "powershell", ".psm1": "powershell", ".bat": "batch", ".cmd": "batch", ".sql": "sql", ".css": "css", ".scss": "scss",
	".less": "less", ".vue": "vue", ".dart": "dart", ".ex": "elixir", ".exs": "elixir", ".erl": "erlang", ".hs": "haskell", ".ml": "ocaml",
	".clj": "clojure", ".lisp": "lisp", ".el": "lisp", ".scm": "scheme", ".f": "fortran", ".f90": "fortran", ".for": "fortran",
	".pas": "pascal", ".asm": "asm", ".s": "asm", ".v": "verilog", ".sv": "systemverilog", ".vhd": "vhdl", ".tf": "hcl", ".bicep": "bicep",
	".proto": "protobuf", ".graphql": "graphql", ".gql": "graphql", ".toml": "toml", ".ini": "ini", ".cfg": "ini", ".conf": "conf",
	".properties": "properties", ".dockerfile": "dockerfile", ".cmake": "cmake", ".mk": "makefile", ".gradle": "groovy", ".zig": "zig",
	".nim": "nim", ".cob": "cobol", ".cbl": "cobol", ".sas": "sas", ".do": "stata", ".awk": "awk", ".sed": "sed", ".diff": "diff", ".patch": "diff",
	".tcl": "tcl", ".d": "d", ".sol": "solidity", ".cu": "cuda", ".bas": "basic", ".abap": "abap", ".dot": "dot", ".mmd": "mermaid",
}

var byName = map[string]string{
	"makefile": "makefile", "gnumakefile": "makefile", "dockerfile": "dockerfile", "cmakelists.txt": "cmake", "rakefile": "ruby",
	"gemfile": "ruby", "jenkinsfile": "groovy", "vagrantfile": "ruby", "go.mod": "go-mod", "go.sum": "text", ".gitignore": "gitignore",
	".bashrc": "bash", ".profile": "bash", "robots.txt": "",
}

var byInterpreter = map[string]string{
	"sh": "bash", "bash": "bash", "dash": "bash", "zsh": "zsh", "ksh": "bash", "python": "python", "node": "javascript", "deno": "typescript",
	"ruby": "ruby", "perl": "perl", "php": "php", "Rscript": "r", "lua": "lua", "awk": "awk", "pwsh": "powershell", "osascript": "applescript",
}
