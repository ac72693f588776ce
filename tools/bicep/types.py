"""Makes types.json from the models of Microsoft's management libraries for Python (MIT), which are generated from the same
specifications as Bicep's own types: what properties each resource type of infra/ has, their kinds, and the words they take.

    pip download --no-deps -d wheels azure-mgmt-web azure-mgmt-storage ...   (the list: PACKAGES)
    python tools/bicep/types.py wheels > tools/bicep/types.json

It reads the sources and imports nothing. Only what can be reached from RESOURCES is kept.
"""

import ast
import json
import re
import sys
import zipfile
from pathlib import Path

# resource type -> (package, folder of the models below azure/mgmt/<package>, class)
RESOURCES = {
    "Microsoft.Web/serverfarms": ("web", "models", "AppServicePlan"),
    "Microsoft.Web/sites": ("web", "models", "Site"),
    "Microsoft.Web/sites/basicPublishingCredentialsPolicies": ("web", "models", "CsmPublishingCredentialsPoliciesEntity"),
    "Microsoft.Storage/storageAccounts": ("storage", "models", "StorageAccountCreateParameters"),
    "Microsoft.Storage/storageAccounts/blobServices": ("storage", "models", "BlobServiceProperties"),
    "Microsoft.Storage/storageAccounts/blobServices/containers": ("storage", "models", "BlobContainer"),
    "Microsoft.Storage/storageAccounts/queueServices": ("storage", "models", "QueueServiceProperties"),
    "Microsoft.Storage/storageAccounts/queueServices/queues": ("storage", "models", "StorageQueue"),
    "Microsoft.Storage/storageAccounts/managementPolicies": ("storage", "models", "ManagementPolicy"),
    "Microsoft.EventGrid/systemTopics": ("eventgrid", "models", "SystemTopic"),
    "Microsoft.EventGrid/systemTopics/eventSubscriptions": ("eventgrid", "models", "EventSubscription"),
    "Microsoft.DocumentDB/databaseAccounts": ("cosmosdb", "models", "DatabaseAccountCreateUpdateParameters"),
    "Microsoft.DocumentDB/databaseAccounts/sqlDatabases": ("cosmosdb", "models", "SqlDatabaseCreateUpdateParameters"),
    "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers": ("cosmosdb", "models", "SqlContainerCreateUpdateParameters"),
    "Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments": ("cosmosdb", "models", "SqlRoleAssignmentCreateUpdateParameters"),
    "Microsoft.Authorization/roleAssignments": ("authorization", "v2022_04_01/models", "RoleAssignmentCreateParameters"),
    "Microsoft.ManagedIdentity/userAssignedIdentities": ("msi", "v2024_11_30/models", "Identity"),
    "Microsoft.OperationalInsights/workspaces": ("loganalytics", "models", "Workspace"),
    "Microsoft.Insights/components": ("applicationinsights", "v2020_02_02/models", "ApplicationInsightsComponent"),
    "Microsoft.Insights/workbooks": ("applicationinsights", "v2023_06_01/models", "Workbook"),
    "Microsoft.Insights/scheduledQueryRules": ("monitor", "models", "ScheduledQueryRuleResource"),
    "Microsoft.Insights/actionGroups": ("monitor", "models", "ActionGroupResource"),
    "Microsoft.Consumption/budgets": ("consumption", "models", "Budget"),
    "Microsoft.Network/virtualNetworks": ("network", "models", "VirtualNetwork"),
    "Microsoft.Network/privateEndpoints": ("network", "models", "PrivateEndpoint"),
    "Microsoft.Network/privateEndpoints/privateDnsZoneGroups": ("network", "models", "PrivateDnsZoneGroup"),
    "Microsoft.Network/privateDnsZones": ("privatedns", "models", "PrivateZone"),
    "Microsoft.Network/privateDnsZones/virtualNetworkLinks": ("privatedns", "models", "VirtualNetworkLink"),
    "Microsoft.App/managedEnvironments": ("appcontainers", "models", "ManagedEnvironment"),
    "Microsoft.Resources/resourceGroups": ("resource", "resources/models", "ResourceGroup"),
}
PACKAGES = sorted({p for p, _, _ in RESOURCES.values()})


def constant(node):
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


class Models:
    """The classes and enums of one models folder."""

    def __init__(self, archive, package, folder):
        self.prefix = package
        self.classes, self.enums = {}, {}
        base = f"azure/mgmt/{package}/{folder}/"
        for name in archive.namelist():
            if name.startswith(base) and name.endswith(".py") and "/" not in name[len(base):]:
                for node in ast.parse(archive.read(name)).body:
                    if isinstance(node, ast.ClassDef):
                        self.add(node)

    def add(self, node):
        bases = [ast.unparse(b).split(".")[-1] for b in node.bases]
        if "Enum" in bases:
            words = [constant(s.value) for s in node.body if isinstance(s, ast.Assign)]
            self.enums[node.name] = words
            return
        c = {"bases": bases, "props": {}, "kinds": {}, "subtypes": {}, "by": "", "word": None}
        text = ast.get_docstring(node) or ""
        for attribute, kind in re.findall(r":vartype (\w+):\s+((?:.|\n(?! *:| *\n))*)", text):
            c["kinds"][attribute] = re.sub(r"\s+", " ", kind).strip()
        for keyword in node.keywords:
            if keyword.arg == "discriminator":
                c["word"] = constant(keyword.value)
        for s in node.body:
            target = s.targets[0].id if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) else getattr(getattr(s, "target", None), "id", "")
            if target == "_attribute_map":
                for attribute, entry in (constant(s.value) or {}).items():
                    c["props"][attribute] = entry["key"]
            elif target == "_subtype_map":
                for attribute, words in (constant(s.value) or {}).items():
                    c["by"], c["subtypes"] = attribute, words
            elif isinstance(s, ast.AnnAssign) and isinstance(s.value, ast.Call):
                call = ast.unparse(s.value.func)
                if call in ("rest_field", "rest_discriminator"):
                    given = {k.arg: constant(k.value) for k in s.value.keywords}
                    c["props"][target] = (given.get("name") or target).replace(".", "\\.")
                    if call == "rest_discriminator" and c["word"] is None:
                        c["by"] = target
        self.classes[node.name] = c

    def lineage(self, name):
        """The class and its bases, nearest last."""
        c = self.classes.get(name)
        if c is None:
            return []
        found = []
        for base in c["bases"]:
            found += self.lineage(base)
        return found + [c]

    def kind(self, text, need):
        """A :vartype: as {"list": ..} {"map": ..} {"enum": ..} {"ref": ..} or a plain word."""
        text = text.strip()
        if m := re.fullmatch(r"list\[(.*)\]", text):
            return {"list": self.kind(m[1], need)}
        if m := re.fullmatch(r"dict\[str, ?(.*)\]", text):
            return {"map": self.kind(m[1], need)}
        if m := re.search(r"~[\w.]*\.(\w+)$", text):
            if m[1] in self.enums:
                words = self.enums[m[1]]
                return {"enum": words} if all(isinstance(w, str) for w in words) else "number"
            if m[1] in self.classes:
                need.append(m[1])
                return {"ref": f"{self.prefix}.{m[1]}"}
            return "any"
        return {"str": "string", "bool": "bool", "int": "int", "float": "number", "~decimal.Decimal": "number", "decimal": "number"}.get(text, "any")

    def describe(self, name, need, into):
        """The class as a type; flattened names (properties.source) become a type of their own."""
        props, by = {}, ""
        for c in self.lineage(name):
            for attribute, key in c["props"].items():
                path = [p.replace("\\.", ".") for p in re.split(r"(?<!\\)\.", key)]
                at, where = props, f"{self.prefix}.{name}"
                for step in path[:-1]:
                    where += "." + step
                    at[step] = {"ref": where}
                    at = into.setdefault(where, {"props": {}})["props"]
                at[path[-1]] = self.kind(c["kinds"].get(attribute, "any"), need)
        own = self.classes[name]
        result = {"props": dict(sorted(props.items()))}
        subtypes = own["subtypes"] or {s["word"]: n for n, s in self.classes.items() if s["word"] is not None and name in s["bases"]}
        if subtypes and own["by"]:
            need += subtypes.values()
            result["by"] = own["props"][own["by"]]
            result["subtypes"] = {w: f"{self.prefix}.{n}" for w, n in sorted(subtypes.items()) if n in self.classes}
        into[f"{self.prefix}.{name}"] = result


def main(folder):
    archives, versions, models, types, resources = {}, {}, {}, {}, {}
    for wheel in sorted(Path(folder).glob("azure_mgmt_*.whl")):
        _, package, version = re.match(r"(azure_mgmt_)(\w+?)-([\d.]+)-", wheel.name).groups()
        archives[package], versions[f"azure-mgmt-{package}"] = zipfile.ZipFile(wheel), version
    for resource, (package, where, name) in RESOURCES.items():
        if (package, where) not in models:
            models[package, where] = Models(archives[package], package, where)
            if "/" in where:
                models[package, where].prefix += "." + where.split("/")[0]
        m = models[package, where]
        if name not in m.classes:
            sys.exit(f"{resource}: there is no {name}")
        resources[resource] = f"{m.prefix}.{name}"
        need = [name]
        while need:
            name = need.pop()
            if f"{m.prefix}.{name}" not in types and name in m.classes:
                m.describe(name, need, types)
    json.dump(
        {"from": dict(sorted(versions.items())), "resources": resources, "types": dict(sorted(types.items()))},
        sys.stdout, separators=(",", ":"),
    )


if __name__ == "__main__":
    main(sys.argv[1])
