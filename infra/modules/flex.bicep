// The app on Flex Consumption: scales to zero, each queue function in a group of its own, no shared keys.
// siteConfig holds app settings, TLS and HTTP/2 only: Flex refuses ftpsState, use32BitWorkerProcess, functionAppScaleLimit and
// others, and the settings FUNCTIONS_WORKER_RUNTIME and any with a colon.
param appName string
param planName string
param identityName string
param insightsName string
param location string
param tags object
param settings array
@description('URL of the container that deployments are kept in; not a resource id.')
param packageUri string
param maximumInstanceCount int
param instanceMemoryMB int
param alwaysReadyConvert int
param httpConcurrency int
param zoneRedundant bool
param subnetId string

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource plan 'Microsoft.Web/serverfarms@2024-11-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: { name: 'FC1', tier: 'FlexConsumption' }
  properties: {
    reserved: true
    zoneRedundant: zoneRedundant
  }
}

// With zones a group that is always ready needs two instances.
var ready = zoneRedundant ? max(2, alwaysReadyConvert) : alwaysReadyConvert

resource app 'Microsoft.Web/sites@2024-11-01' = {
  name: appName
  location: location
  tags: union(tags, { 'azd-service-name': 'handler' })
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: { '${identity.id}': {} }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    functionAppConfig: {
      deployment: {
        storage: {
          type: 'blobContainer'
          value: packageUri
          authentication: {
            type: 'UserAssignedIdentity'
            userAssignedIdentityResourceId: identity.id
          }
        }
      }
      scaleAndConcurrency: {
        maximumInstanceCount: maximumInstanceCount
        instanceMemoryMB: instanceMemoryMB
        alwaysReady: alwaysReadyConvert > 0 ? [{ name: 'function:convert', instanceCount: ready }] : []
        triggers: { http: { perInstanceConcurrency: httpConcurrency } }
      }
      runtime: { name: 'custom', version: '1.0' }
    }
    siteConfig: {
      minTlsVersion: '1.2'
      appSettings: concat(settings, [
        { name: 'AZURE_CLIENT_ID', value: identity.properties.clientId }
        { name: 'AzureWebJobsStorage__clientId', value: identity.properties.clientId }
        { name: 'DocStorage__clientId', value: identity.properties.clientId }
        { name: 'APPLICATIONINSIGHTS_CONNECTION_STRING', value: insights.properties.ConnectionString }
        { name: 'APPLICATIONINSIGHTS_AUTHENTICATION_STRING', value: 'ClientId=${identity.properties.clientId};Authorization=AAD' }
      ])
    }
  }
}

// No passwords for deployment either.
resource ftp 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2024-11-01' = {
  parent: app
  name: 'ftp'
  properties: { allow: false }
}

resource scm 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2024-11-01' = {
  parent: app
  name: 'scm'
  properties: { allow: false }
  dependsOn: [ftp]
}
