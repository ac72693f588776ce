// The app on Elastic Premium: 3.5 to 14 GB and a large temporary disk, at least one instance that always costs.
// The code is the package in the storage account, read with the identity; a content share would need a shared key.
param appName string
param planName string
param identityName string
param insightsName string
param location string
param tags object
param settings array
@description('URL of the package in the storage account.')
param packageUri string
param sku string
param minimumInstances int
param maximumInstanceCount int
param zoneRedundant bool
param subnetId string

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

// Linux plans of this kind have 100 instances at most, and 20 that always run.
var most = min(100, maximumInstanceCount)
var least = min(most, zoneRedundant ? max(2, minimumInstances) : minimumInstances)

resource plan 'Microsoft.Web/serverfarms@2024-11-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'elastic'
  sku: { name: sku, tier: 'ElasticPremium', capacity: least }
  properties: {
    reserved: true
    maximumElasticWorkerCount: most
    zoneRedundant: zoneRedundant
  }
}

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
    siteConfig: {
      linuxFxVersion: ''
      minTlsVersion: '1.2'
      ftpsState: 'Disabled'
      functionAppScaleLimit: most
      minimumElasticInstanceCount: least
      functionsRuntimeScaleMonitoringEnabled: !empty(subnetId)
      vnetRouteAllEnabled: !empty(subnetId)
      appSettings: concat(settings, [
        { name: 'FUNCTIONS_WORKER_RUNTIME', value: 'custom' }
        { name: 'FUNCTIONS_EXTENSION_VERSION', value: '~4' }
        { name: 'WEBSITE_RUN_FROM_PACKAGE', value: packageUri }
        { name: 'WEBSITE_RUN_FROM_PACKAGE_BLOB_MI_RESOURCE_ID', value: identity.id }
        { name: 'AZURE_CLIENT_ID', value: identity.properties.clientId }
        { name: 'AzureWebJobsStorage__clientId', value: identity.properties.clientId }
        { name: 'DocStorage__clientId', value: identity.properties.clientId }
        { name: 'APPLICATIONINSIGHTS_CONNECTION_STRING', value: insights.properties.ConnectionString }
        { name: 'APPLICATIONINSIGHTS_AUTHENTICATION_STRING', value: 'ClientId=${identity.properties.clientId};Authorization=AAD' }
      ])
    }
  }
}

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
