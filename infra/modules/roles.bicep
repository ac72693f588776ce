// What the app's identity may do, and what the person or pipeline in principalId may: exactly this.
param storageName string
param cosmosName string
param insightsName string
param identityName string
param principalId string
param principalType string

var blobDataOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b' // the host's locks and package, decant's documents and results
var blobDataContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe' // people: upload, read, delete
var queueDataContributor = '974c5e8b-45b9-4653-ba55-5f855dd0fb88' // receive, renew (Update Message), send; Message Processor cannot renew
var tableDataContributor = '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3' // the host's diagnostic events
var metricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb' // telemetry without an instrumentation key
var cosmosDataContributor = '00000000-0000-0000-0000-000000000002' // the data plane's own role

resource storage 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: storageName
}

resource cosmos 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' existing = {
  name: cosmosName
}

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource appStorage 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for role in [blobDataOwner, queueDataContributor, tableDataContributor]: {
  name: guid(storage.id, identity.id, role)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}]

resource appTelemetry 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(insights.id, identity.id, metricsPublisher)
  scope: insights
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', metricsPublisher)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

resource appLedger 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2025-10-15' = {
  parent: cosmos
  name: guid(cosmos.id, identity.id, cosmosDataContributor)
  properties: {
    roleDefinitionId: '${cosmos.id}/sqlRoleDefinitions/${cosmosDataContributor}'
    principalId: identity.properties.principalId
    scope: cosmos.id
  }
}

resource personStorage 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for role in (empty(principalId) ? [] : [blobDataContributor, queueDataContributor]): {
  name: guid(storage.id, principalId, role)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role)
    principalId: principalId
    principalType: principalType
  }
}]

resource personLedger 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2025-10-15' = if (!empty(principalId)) {
  parent: cosmos
  name: guid(cosmos.id, principalId, cosmosDataContributor)
  properties: {
    roleDefinitionId: '${cosmos.id}/sqlRoleDefinitions/${cosmosDataContributor}'
    principalId: principalId
    scope: cosmos.id
  }
}
