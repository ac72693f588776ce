// The app as an image on Container Apps (Functions on Container Apps): up to 4 vCPU and 8 GiB, scale to zero.
param appName string
param environmentName string
param identityName string
param insightsName string
param workspaceName string
param location string
param tags object
param settings array
param image string
param registryName string
param cores int
param minimumReplicas int
param maximumInstanceCount int
param zoneRedundant bool
param subnetId string

var acrPull = '7f951dda-4ed3-4680-a7ca-43fe172d538d' // pull the image

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' existing = {
  name: workspaceName
}

resource registry 'Microsoft.ContainerRegistry/registries@2023-07-01' existing = if (!empty(registryName)) {
  name: empty(registryName) ? 'none' : registryName
}

resource pull 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(registryName)) {
  name: guid(resourceGroup().id, registryName, identity.id, acrPull)
  scope: registry
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', acrPull)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

// Logs go to the workspace by a diagnostic setting: the other way needs the workspace's shared key.
resource managed 'Microsoft.App/managedEnvironments@2025-01-01' = {
  name: environmentName
  location: location
  tags: tags
  properties: {
    appLogsConfiguration: { destination: 'azure-monitor' }
    zoneRedundant: zoneRedundant && !empty(subnetId)
    workloadProfiles: [
      { name: 'Consumption', workloadProfileType: 'Consumption' }
    ]
    vnetConfiguration: empty(subnetId) ? null : { infrastructureSubnetId: subnetId }
  }
}

resource logs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: managed
  properties: {
    workspaceId: workspace.id
    logs: [
      { categoryGroup: 'allLogs', enabled: true }
    ]
  }
}

resource app 'Microsoft.Web/sites@2024-11-01' = {
  name: appName
  location: location
  tags: union(tags, { 'azd-service-name': 'handler' })
  kind: 'functionapp,linux,container,azurecontainerapps'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: { '${identity.id}': {} }
  }
  properties: {
    managedEnvironmentId: managed.id
    httpsOnly: true
    workloadProfileName: 'Consumption'
    resourceConfig: { cpu: cores, memory: '${cores * 2}Gi' }
    siteConfig: {
      linuxFxVersion: 'DOCKER|${image}'
      acrUseManagedIdentityCreds: !empty(registryName)
      acrUserManagedIdentityID: empty(registryName) ? null : identity.id
      minimumElasticInstanceCount: minimumReplicas
      functionAppScaleLimit: maximumInstanceCount
      appSettings: concat(settings, [
        { name: 'FUNCTIONS_WORKER_RUNTIME', value: 'custom' }
        { name: 'FUNCTIONS_EXTENSION_VERSION', value: '~4' }
        { name: 'AZURE_CLIENT_ID', value: identity.properties.clientId }
        { name: 'AzureWebJobsStorage__clientId', value: identity.properties.clientId }
        { name: 'DocStorage__clientId', value: identity.properties.clientId }
        { name: 'APPLICATIONINSIGHTS_CONNECTION_STRING', value: insights.properties.ConnectionString }
        { name: 'APPLICATIONINSIGHTS_AUTHENTICATION_STRING', value: 'ClientId=${identity.properties.clientId};Authorization=AAD' }
      ])
    }
  }
  dependsOn: [pull]
}
