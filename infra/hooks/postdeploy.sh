#!/bin/sh
# After publishing: no connection string may stand beside the identity, then one document goes all the way.
set -eu
group=${AZURE_RESOURCE_GROUP:?}
app=${AZURE_FUNCTION_APP_NAME:?}
injected=$(az functionapp config appsettings list --resource-group "$group" --name "$app" --query "[?name=='AzureWebJobsStorage'].name" --output tsv)
if [ -n "$injected" ]; then
  echo "The app has the setting AzureWebJobsStorage, which wins over the identity. Remove it:" >&2
  echo "  az functionapp config appsettings delete -g $group -n $app --setting-names AzureWebJobsStorage" >&2
  exit 1
fi
if [ -n "${SKIP_SMOKE:-}" ]; then
  echo "SKIP_SMOKE is set: no document was sent. Run decant smoke from inside the network."
  exit 0
fi
export DECANT_STORAGE_ACCOUNT="${DECANT_STORAGE_ACCOUNT:?}" DECANT_COSMOS_ENDPOINT="${DECANT_COSMOS_ENDPOINT:?}"
export AZURE_TOKEN_CREDENTIALS="${AZURE_TOKEN_CREDENTIALS:-dev}" DECANT_ENQUEUE=never
# dist/decant is the one for Azure; the smoke test needs one for this machine.
go build -trimpath -o .bin/decant ./handler
.bin/decant smoke --timeout 15m
