// Package infratest holds infra/ to the rest of the repository, offline: the templates to Microsoft's models and to the rule that the
// pool sizes by, the settings to config, the names to host.json and functions/, the roles to what the code does, the package to what
// the host wants. It has tests only; the reader of Bicep is package bicep.
//
// Nothing here has talked to Azure. `az deployment group what-if` before the first deployment does, see docs/deploy.md.
package infratest
