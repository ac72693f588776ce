// What the topic's own identity may do. At the account, not at the queue or container: Event Grid checks it there.
param topicName string
param storageName string

var queueMessageSender = 'c6a89b2d-59bc-44d0-9896-0f6e12d7b80a' // delivery
var blobDataContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe' // dead letters

resource storage 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: storageName
}

resource topic 'Microsoft.EventGrid/systemTopics@2025-02-15' existing = {
  name: topicName
}

resource delivery 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for role in [queueMessageSender, blobDataContributor]: {
  name: guid(storage.id, topic.id, role)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role)
    principalId: topic.identity.principalId
    principalType: 'ServicePrincipal'
  }
}]
