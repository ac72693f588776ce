// Package bicep reads the Bicep of infra/ without the Bicep compiler, so that the templates can be checked wherever Go runs.
//
// Parse reads one file. Expand works a template out for given parameters, local modules included, into the resources that would be
// sent: names, API versions, properties, with placeholders for what only Azure knows. Types.Check holds them to Microsoft's
// published models (tools/bicep/types.json). Graph says what waits for what.
//
// It knows the part of the language that infra/ uses and fails on the rest; it is no compiler. What it cannot see: limits of values,
// names already taken, what a region or subscription allows, properties that an API version lacks while the models' version has them.
package bicep
