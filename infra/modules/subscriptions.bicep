// Uploads and deletions of the documents container, to the queue. Two subscriptions, because a deletion has no length to filter by.
param topicName string
param storageName string
param queueName string
param documentsContainer string
param undeliveredContainer string
param uploadPrefix string
param uploadSuffixes array
param skipEmptyFiles bool

var identity = { type: 'SystemAssigned' }
// The slash at the end keeps documents2 out.
var subject = '/blobServices/default/containers/${documentsContainer}/blobs/${uploadPrefix}'
var suffixFilter = empty(uploadSuffixes) ? [] : [{ operatorType: 'StringEndsWith', key: 'subject', values: uploadSuffixes }]
var lengthFilter = skipEmptyFiles ? [{ operatorType: 'NumberGreaterThan', key: 'data.contentLength', value: 0 }] : []
// A file counts when it is complete: CreateFile of hierarchical accounts comes with no bytes yet, FlushWithClose ends it.
var completeFilter = [{ operatorType: 'StringIn', key: 'data.api', values: ['PutBlob', 'PutBlockList', 'CopyBlob', 'FlushWithClose', 'SftpCommit'] }]

resource storage 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: storageName
}

resource topic 'Microsoft.EventGrid/systemTopics@2025-02-15' existing = {
  name: topicName
}

var delivery = {
  identity: identity
  destination: {
    endpointType: 'StorageQueue'
    properties: { resourceId: storage.id, queueName: queueName, queueMessageTimeToLiveInSeconds: -1 }
  }
}
var deadLetter = {
  identity: identity
  deadLetterDestination: {
    endpointType: 'StorageBlob'
    properties: { resourceId: storage.id, blobContainerName: undeliveredContainer }
  }
}

resource created 'Microsoft.EventGrid/systemTopics/eventSubscriptions@2025-02-15' = {
  parent: topic
  name: 'decant-created'
  properties: {
    eventDeliverySchema: 'EventGridSchema'
    deliveryWithResourceIdentity: delivery
    deadLetterWithResourceIdentity: deadLetter
    filter: {
      includedEventTypes: ['Microsoft.Storage.BlobCreated']
      subjectBeginsWith: subject
      isSubjectCaseSensitive: false
      advancedFilters: concat(completeFilter, suffixFilter, lengthFilter)
    }
    retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 }
  }
}

resource deleted 'Microsoft.EventGrid/systemTopics/eventSubscriptions@2025-02-15' = {
  parent: topic
  name: 'decant-deleted'
  properties: {
    eventDeliverySchema: 'EventGridSchema'
    deliveryWithResourceIdentity: delivery
    deadLetterWithResourceIdentity: deadLetter
    filter: {
      includedEventTypes: ['Microsoft.Storage.BlobDeleted']
      subjectBeginsWith: subject
      isSubjectCaseSensitive: false
      advancedFilters: suffixFilter
    }
    retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 }
  }
  dependsOn: [created]
}
