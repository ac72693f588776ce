#!/usr/bin/env bash
# make deploy RG=<group> [PARAMS='name=value ...']: what-if, deployment, code, smoke test. It asks before it changes anything; YES=1 does not ask.
set -euo pipefail
group=${1:?usage: infra/deploy.sh <resource group> [name=value ...]}
shift
cd "$(dirname "$0")/.."
[ "$(head -c 4 dist/decant | tail -c 3)" = ELF ] || { echo "dist/decant is not for Linux: make package GOOS=linux GOARCH=amd64" >&2; exit 1; }
az group show --name "$group" --output none || { echo "There is no resource group $group: az group create -n $group -l <region>" >&2; exit 1; }

principal=${PRINCIPAL_ID:-$(az ad signed-in-user show --query id --output tsv)}
parameters=(infra/main.parameters.json "principalId=$principal" "principalType=${PRINCIPAL_TYPE:-User}" "$@")

az deployment group what-if --resource-group "$group" --template-file infra/main.bicep --parameters "${parameters[@]}"
if [ -z "${YES:-}" ]; then
  read -r -p "Deploy this to $group? [y/N] " answer
  [ "$answer" = y ] || exit 1
fi
az deployment group create --resource-group "$group" --name decant --template-file infra/main.bicep --parameters "${parameters[@]}" --output none

outputs=$(az deployment group show --resource-group "$group" --name decant --query properties.outputs --output json)
# Azure changes the case of outputs' names on the way (azurE_STORAGE_ACCOUNT), so case does not count.
value() {
  awk -v want="\"$1\":" 'index(tolower($0), tolower(want)) { on = 1 } on && /"value":/ { sub(/^[^:]*: *"?/, ""); sub(/"?,? *$/, ""); print; exit }' <<<"$outputs"
}
app=$(value AZURE_FUNCTION_APP_NAME)
account=$(value AZURE_STORAGE_ACCOUNT)
echo "Up: $(value DECANT_CONCURRENCY)"

# Roles take minutes to spread: a refusal is tried again.
again() {
  local try
  for try in 1 2 3 4 5 6; do
    "$@" && return
    echo "Not yet ($try of 6); waiting for the roles to spread ..." >&2
    sleep 60
  done
  return 1
}
case $(value DECANT_PLAN) in
flex) again az functionapp deployment source config-zip --resource-group "$group" --name "$app" --src dist.zip --output none ;;
premium)
  again az storage blob upload --auth-mode login --account-name "$account" --container-name package --name released-package.zip --file dist.zip --overwrite --output none
  az functionapp restart --resource-group "$group" --name "$app"
  ;;
containerapps) echo "Publishing is a new image here: see docs/deploy.md." ;;
esac

AZURE_RESOURCE_GROUP=$group AZURE_FUNCTION_APP_NAME=$app DECANT_STORAGE_ACCOUNT=$account DECANT_COSMOS_ENDPOINT=$(value DECANT_COSMOS_ENDPOINT) \
  sh infra/hooks/postdeploy.sh
