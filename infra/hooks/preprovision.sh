#!/bin/sh
# Before provisioning: the providers that a fresh subscription lacks, and the region's own word that Flex runs custom handlers there.
set -eu
for provider in Microsoft.App Microsoft.EventGrid Microsoft.Web Microsoft.DocumentDB Microsoft.Insights Microsoft.OperationalInsights \
  Microsoft.Storage Microsoft.ManagedIdentity Microsoft.AlertsManagement Microsoft.Consumption Microsoft.Network; do
  state=$(az provider show --namespace "$provider" --query registrationState --output tsv 2>/dev/null || echo unknown)
  if [ "$state" != Registered ]; then
    echo "Registering $provider (was: $state) ..."
    az provider register --namespace "$provider" --wait
  fi
done
region=${AZURE_LOCATION:-}
if [ "${DECANT_PLAN:-flex}" = flex ] && [ -n "$region" ]; then
  runtimes=$(az functionapp list-flexconsumption-runtimes --location "$region" --runtime custom --output tsv 2>/dev/null || true)
  [ -n "$runtimes" ] || echo "Warning: Flex Consumption does not list the runtime custom in $region. Choose another region, or plan=premium."
fi
