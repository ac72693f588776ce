// One account for documents, results, queues and the host's own state. No shared keys, no public blobs.
param name string
param location string
param tags object
param zoneRedundant bool
param privateNetwork bool
param allowedIpRanges array
param containers array
param queues array
param temporaryPrefixes array
param temporaryDays int
param deadLetterPrefixes array
param deadLetterDays int
param softDeleteDays int

resource account 'Microsoft.Storage/storageAccounts@2025-06-01' = {
  name: name
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: zoneRedundant ? 'Standard_ZRS' : 'Standard_LRS' }
  properties: {
    accessTier: 'Hot'
    allowSharedKeyAccess: false
    defaultToOAuthAuthentication: true
    allowBlobPublicAccess: false
    allowCrossTenantReplication: false
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: 'Enabled'
    networkAcls: {
      // Event Grid delivers as a trusted service: with its system-assigned identity, past the firewall.
      bypass: 'AzureServices'
      defaultAction: privateNetwork ? 'Deny' : 'Allow'
      ipRules: [for range in allowedIpRanges: { value: range, action: 'Allow' }]
    }
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-06-01' = {
  parent: account
  name: 'default'
  properties: {
    deleteRetentionPolicy: { enabled: true, days: softDeleteDays }
    containerDeleteRetentionPolicy: { enabled: true, days: softDeleteDays }
  }
}

resource blobContainers 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-06-01' = [for container in containers: {
  parent: blobs
  name: container
  properties: { publicAccess: 'None' }
}]

resource queueService 'Microsoft.Storage/storageAccounts/queueServices@2025-06-01' = {
  parent: account
  name: 'default'
}

resource allQueues 'Microsoft.Storage/storageAccounts/queueServices/queues@2025-06-01' = [for queue in queues: {
  parent: queueService
  name: queue
}]

// Results are kept. What expires is named by prefix; the host's azure-webjobs-* and the app's package are never named.
resource lifecycle 'Microsoft.Storage/storageAccounts/managementPolicies@2025-06-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'temporary'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: { blobTypes: ['blockBlob'], prefixMatch: temporaryPrefixes }
            actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: temporaryDays } } }
          }
        }
        {
          name: 'dead-letters'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: { blobTypes: ['blockBlob'], prefixMatch: deadLetterPrefixes }
            actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: deadLetterDays } } }
          }
        }
      ]
    }
  }
  dependsOn: [blobContainers]
}
