// decant in one resource group: storage, queues, ledger, events, the app, what watches it.
//
//   az deployment group create -g <group> -f infra/main.bicep -p infra/main.parameters.json
//
// Only the names, the sizes and the settings are computed here; every resource is in a module. Names are computed rather than
// taken from outputs of modules, so that what-if can look into every module.
targetScope = 'resourceGroup'

@description('Name of this installation, in tags and in names. azd gives AZURE_ENV_NAME.')
@minLength(1)
@maxLength(40)
param environmentName string = 'decant'

@description('Azure region of everything.')
param location string = resourceGroup().location

@description('Tags for every resource, beside azd-env-name.')
param tags object = {}

// ---- the plan and its limits

@description('Where the app runs: flex (scale to zero, 4 GB), premium (Elastic Premium, 3.5 to 14 GB), containerapps (an image, up to 8 GB).')
@allowed(['flex', 'premium', 'containerapps'])
param plan string = 'flex'

@description('Most instances. On Flex for each function, on demand; on the other plans for the app.')
@minValue(1)
@maxValue(1000)
param maximumInstanceCount int = 20

@description('Flex: memory of an instance in MB. 512 is not offered: one conversion alone may take more.')
@allowed([2048, 4096])
param instanceMemoryMB int = 4096

@description('Flex: instances of function convert that are kept warm. 0 scales to zero; the first document then waits up to two minutes.')
@minValue(0)
@maxValue(100)
param alwaysReadyConvert int = 0

@description('Flex: HTTP requests that one instance takes at once.')
@minValue(1)
@maxValue(1000)
param httpConcurrency int = 16

@description('Elastic Premium: size of an instance.')
@allowed(['EP1', 'EP2', 'EP3'])
param premiumSku string = 'EP2'

@description('Elastic Premium: instances that always run (at least 1; at least 2 with zone redundancy).')
@minValue(1)
@maxValue(20)
param premiumMinimumInstances int = 1

@description('Container Apps: vCPUs of a replica; memory is twice as many GiB.')
@allowed([1, 2, 4])
param containerCores int = 4

@description('Container Apps: replicas that always run.')
@minValue(0)
@maxValue(100)
param containerMinimumReplicas int = 0

@description('Container Apps: the image, made from infra/Dockerfile.')
param containerImage string = ''

@description('Container Apps: name of the container registry in this resource group that holds the image; empty for a public image.')
param containerRegistryName string = ''

@description('Spread over availability zones: plan, storage (ZRS) and Cosmos. Only where the region has zones; not to be changed later.')
param zoneRedundant bool = false

// ---- one document

@description('Memory cap of one conversion in MiB. With the instance it decides how many run at once.')
@minValue(256)
@maxValue(8192)
param conversionMemoryMB int = 1024

@description('Longest conversion in minutes; kept at least three minutes below the function time-out.')
@minValue(1)
@maxValue(42)
param conversionTimeoutMinutes int = 10

@description('Function time-out in minutes. Flex ends instances that scale in after 60 minutes whatever they do, so it is at most 45.')
@minValue(5)
@maxValue(45)
param functionTimeoutMinutes int = 30

@description('Largest document in MiB; 0 takes what the plan\'s temporary disk bears.')
@minValue(0)
@maxValue(4096)
param maxInputMB int = 0

@description('Hard token limit of a chunk.')
@minValue(8)
@maxValue(32768)
param maxTokens int = 512

@description('auto takes every lock that the kernel gives, require refuses to convert without them.')
@allowed(['auto', 'require'])
param sandbox string = 'auto'

@description('What the app logs.')
@allowed(['debug', 'info', 'warn', 'error'])
param logLevel string = 'info'

// ---- queues and poison

@description('Queue of events. With -poison added it must stay within 63 characters.')
@minLength(3)
@maxLength(56)
param conversionsQueue string = 'conversions'

@description('Queue of batches, with a function and scaling of its own.')
@minLength(3)
@maxLength(56)
param bulkQueue string = 'conversions-bulk'

@description('Queue that tells others what is done.')
@minLength(3)
@maxLength(56)
param completedQueue string = 'conversions-completed'

@description('Attempts before a message is moved to the poison queue. At least 4: an instance that is drained costs one.')
@minValue(4)
@maxValue(20)
param maxDequeueCount int = 5

@description('Seconds until a failed message comes back. Not the lease: that is ten minutes, renewed while the document is worked on.')
@minValue(0)
@maxValue(3600)
param retryDelaySeconds int = 30

@description('How often decant looks for lost and finished work: six fields, NCRONTAB.')
param sweepSchedule string = '0 */5 * * * *'

// ---- storage

@description('Name of the storage account; empty computes one.')
@maxLength(24)
param storageAccountName string = ''

@description('Container that people upload to.')
@minLength(3)
@maxLength(63)
param documentsContainer string = 'documents'

@description('Container of results.')
@minLength(3)
@maxLength(63)
param convertedContainer string = 'converted'

@description('Container of poison messages with their context.')
@minLength(3)
@maxLength(63)
param deadLetterContainer string = 'deadletter'

@description('Days until the index of results by content, which only saves work, is deleted.')
@minValue(1)
@maxValue(3650)
param temporaryDays int = 30

@description('Days until dead letters and events that could not be delivered are deleted.')
@minValue(7)
@maxValue(3650)
param deadLetterDays int = 90

@description('Days for which deleted files can be brought back.')
@minValue(1)
@maxValue(365)
param softDeleteDays int = 7

// ---- events

@description('Name of an Event Grid system topic on the storage account that exists already, in this resource group, with a system-assigned identity; empty makes one.')
param existingSystemTopicName string = ''

@description('Only files below this folder of the documents container, such as inbox/; empty takes all.')
param uploadPrefix string = ''

@description('Only files with these endings, such as .pdf; empty takes all. At most 20.')
@maxLength(20)
param uploadSuffixes array = []

@description('Ignore files of no bytes. By default they are recorded as empty.')
param skipEmptyFiles bool = false

// ---- ledger

@description('Name of the Cosmos DB account; empty computes one.')
@maxLength(44)
param cosmosAccountName string = ''

@description('Domain of Cosmos DB endpoints in this cloud.')
param cosmosDnsSuffix string = 'documents.azure.com'

@description('Give chunks a vector index over their field embedding. Only when the account is made: it cannot be added later.')
param vectorSearch bool = false

@description('Dimensions of the embeddings.')
@minValue(1)
@maxValue(4096)
param vectorDimensions int = 1536

@description('Kind of the vector index. flat takes at most 505 dimensions.')
@allowed(['flat', 'quantizedFlat', 'diskANN'])
param vectorIndex string = 'quantizedFlat'

@description('Give chunks a full-text index over their text.')
param fullTextSearch bool = false

@description('Language of the full-text index.')
param fullTextLanguage string = 'en-US'

// ---- network

@description('Put storage and Cosmos behind private endpoints and the app into a virtual network.')
param privateNetwork bool = false

@description('With privateNetwork: public IP addresses or ranges that may upload and read all the same.')
param allowedIpRanges array = []

@description('Address space of the virtual network, a /22 or larger.')
param vnetAddressPrefix string = '10.90.0.0/22'

// ---- who and how much

@description('Object id of a person or pipeline who may upload, read results and use decant from outside; empty for nobody.')
param principalId string = ''

@description('What principalId is.')
@allowed(['User', 'Group', 'ServicePrincipal'])
param principalType string = 'User'

@description('Mail address for alerts; empty raises them without mail.')
param alertEmail string = ''

@description('Monthly budget of the resource group in the billing currency; 0 for none.')
@minValue(0)
param budgetAmount int = 0

@description('First month of the budget. Fix it in the parameters after the first deployment: it cannot be moved.')
param budgetStart string = utcNow('yyyy-MM-01')

@description('Days that logs are kept.')
@minValue(30)
@maxValue(730)
param logRetentionDays int = 30

@description('Most log data a day in GB; -1 for no cap. What comes after is lost, alerts included.')
param logDailyCapGB int = 5

@description('Minutes that the oldest message may wait before the alert on queue age.')
@minValue(5)
@maxValue(1440)
param queueAgeAlertMinutes int = 60

@description('Per cent of documents that may fail in a quarter of an hour before the alert on the failure rate.')
@minValue(1)
@maxValue(100)
param failureAlertPercent int = 20

// ---- names

var resourceToken = toLower(uniqueString(subscription().id, resourceGroup().id, environmentName))
var storageName = empty(storageAccountName) ? 'st${resourceToken}' : storageAccountName
var cosmosName = empty(cosmosAccountName) ? 'cosmos-${resourceToken}' : cosmosAccountName
var identityName = 'id-${resourceToken}'
var appName = 'func-${resourceToken}'
var planName = 'plan-${resourceToken}'
var workspaceName = 'log-${resourceToken}'
var insightsName = 'appi-${resourceToken}'
var topicName = empty(existingSystemTopicName) ? 'evgt-${resourceToken}' : existingSystemTopicName
var vnetName = 'vnet-${resourceToken}'
var actionGroupName = 'ag-${resourceToken}'
var cosmosDatabase = 'decant'
var undeliveredContainer = 'undelivered'
var packageContainer = 'package'
var allTags = union(tags, { 'azd-env-name': environmentName })

// ---- sizes: the rule of handler/internal/pool/size.go, step by step

var premiumSizes = {
  EP1: { cores: 1, memoryMB: 3584 }
  EP2: { cores: 2, memoryMB: 7168 }
  EP3: { cores: 4, memoryMB: 14336 }
}
var machines = {
  flex: { cores: instanceMemoryMB >= 4096 ? 2 : 1, memoryMB: instanceMemoryMB, temporaryMB: 760 }
  premium: { cores: premiumSizes[premiumSku].cores, memoryMB: premiumSizes[premiumSku].memoryMB, temporaryMB: 10490 }
  containerapps: { cores: containerCores, memoryMB: containerCores * 2048, temporaryMB: containerCores * 1950 }
}
var cores = machines[plan].cores
var memoryMB = machines[plan].memoryMB
var temporaryMB = machines[plan].temporaryMB

// 256 MiB stay with the handler and the host, nine tenths of the rest are for conversions.
var budgetBytes = max(0, memoryMB - 256) * 1048576 / 10 * 9
// Never more than the instance has: a cap above the budget would let the first large document end the app.
var capMB = min(conversionMemoryMB, budgetBytes / 1048576)
var slots = max(1, min(cores, budgetBytes / (capMB * 1048576)))
var batchSize = min(slots, 32)
var newBatchThreshold = (slots + 1) / 2

// The temporary disk holds the compiled PDF engine (42 MiB) and reserve, and for each message in work the document, its unpacked parts and its results.
var diskShareMB = (temporaryMB - 120) / (batchSize + newBatchThreshold)
var inputMB = min(maxInputMB == 0 ? 512 : maxInputMB, diskShareMB / 2)
var diskMB = min(1024, diskShareMB - inputMB)
var timeoutMinutes = min(conversionTimeoutMinutes, functionTimeoutMinutes - 3)

// ---- settings: this list and nothing else. A deployment replaces all settings of the app.

var storageSuffix = environment().suffixes.storage
var blobEndpoint = 'https://${storageName}.blob.${storageSuffix}'
var queueEndpoint = 'https://${storageName}.queue.${storageSuffix}'
var tableEndpoint = 'https://${storageName}.table.${storageSuffix}'
var cosmosEndpoint = 'https://${cosmosName}.${cosmosDnsSuffix}:443/'
var functionTimeoutText = '00:${padLeft(functionTimeoutMinutes, 2, '0')}:00'
var retryDelayText = '${padLeft(retryDelaySeconds / 3600, 2, '0')}:${padLeft((retryDelaySeconds % 3600) / 60, 2, '0')}:${padLeft(retryDelaySeconds % 60, 2, '0')}'

// The modules add what needs the identity's client id: AZURE_CLIENT_ID, *__clientId, APPLICATIONINSIGHTS_*.
var settings = [
  // the host's own state, with the identity
  { name: 'AzureWebJobsStorage__blobServiceUri', value: blobEndpoint }
  { name: 'AzureWebJobsStorage__queueServiceUri', value: queueEndpoint }
  { name: 'AzureWebJobsStorage__tableServiceUri', value: tableEndpoint }
  { name: 'AzureWebJobsStorage__credential', value: 'managedidentity' }
  // the connection of the queue triggers
  { name: 'DocStorage__accountName', value: storageName }
  { name: 'DocStorage__blobServiceUri', value: blobEndpoint }
  { name: 'DocStorage__queueServiceUri', value: queueEndpoint }
  { name: 'DocStorage__credential', value: 'managedidentity' }
  // the queue triggers and the host's limits: the same values as in host.json where the parameters have their defaults
  { name: 'AzureFunctionsJobHost__functionTimeout', value: functionTimeoutText }
  { name: 'AzureFunctionsJobHost__extensions__queues__batchSize', value: string(batchSize) }
  { name: 'AzureFunctionsJobHost__extensions__queues__newBatchThreshold', value: string(newBatchThreshold) }
  { name: 'AzureFunctionsJobHost__extensions__queues__maxDequeueCount', value: string(maxDequeueCount) }
  { name: 'AzureFunctionsJobHost__extensions__queues__visibilityTimeout', value: retryDelayText }
  { name: 'AzureFunctionsJobHost__extensions__queues__messageEncoding', value: 'none' } // the handler takes base64 and plain JSON; the host would reject one of them unread
  // names
  { name: 'ConversionsQueue', value: conversionsQueue }
  { name: 'ConversionsBulkQueue', value: bulkQueue }
  { name: 'CompletedQueue', value: completedQueue }
  { name: 'DocumentsContainer', value: documentsContainer }
  { name: 'ConvertedContainer', value: convertedContainer }
  { name: 'DeadLetterContainer', value: deadLetterContainer }
  { name: 'SweepSchedule', value: sweepSchedule }
  { name: 'DECANT_COSMOS_ENDPOINT', value: cosmosEndpoint }
  { name: 'DECANT_COSMOS_DATABASE', value: cosmosDatabase }
  { name: 'DECANT_ENQUEUE', value: 'never' }
  // limits
  { name: 'DECANT_MEMORY', value: '${capMB}MiB' }
  { name: 'DECANT_MEMORY_BUDGET', value: string(max(budgetBytes, capMB * 1048576)) }
  { name: 'DECANT_JOBS', value: string(slots) }
  { name: 'DECANT_TIMEOUT', value: '${timeoutMinutes}m' }
  { name: 'DECANT_MAX_INPUT', value: '${inputMB}MiB' }
  { name: 'DECANT_MAX_DISK', value: '${diskMB}MiB' }
  { name: 'DECANT_MAX_OUTPUT', value: '${diskMB}MiB' }
  { name: 'DECANT_MAX_TOKENS', value: string(maxTokens) }
  { name: 'DECANT_SANDBOX', value: sandbox }
  { name: 'DECANT_LOG_LEVEL', value: logLevel }
  // the app's folder is read-only: what decant keeps on an instance lies in the temporary folder
  { name: 'DECANT_HOME', value: '/tmp/decant' }
  { name: 'DECANT_CACHE', value: '/tmp/decant-cache' }
]

// ---- resources

module identity 'modules/identity.bicep' = {
  name: 'decant-identity'
  params: {
    name: identityName
    location: location
    tags: allTags
  }
}

module monitoring 'modules/monitoring.bicep' = {
  name: 'decant-monitoring'
  params: {
    workspaceName: workspaceName
    insightsName: insightsName
    location: location
    tags: allTags
    retentionDays: logRetentionDays
    dailyCapGB: logDailyCapGB
  }
}

module network 'modules/network.bicep' = if (privateNetwork) {
  name: 'decant-network'
  params: {
    name: vnetName
    location: location
    tags: allTags
    addressPrefix: vnetAddressPrefix
    delegation: plan == 'premium' ? 'Microsoft.Web/serverFarms' : 'Microsoft.App/environments'
  }
}

module storage 'modules/storage.bicep' = {
  name: 'decant-storage'
  params: {
    name: storageName
    location: location
    tags: allTags
    zoneRedundant: zoneRedundant
    privateNetwork: privateNetwork
    allowedIpRanges: allowedIpRanges
    containers: [documentsContainer, convertedContainer, deadLetterContainer, undeliveredContainer, packageContainer]
    queues: [conversionsQueue, '${conversionsQueue}-poison', bulkQueue, '${bulkQueue}-poison', completedQueue]
    temporaryPrefixes: ['${convertedContainer}/.cache/']
    temporaryDays: temporaryDays
    deadLetterPrefixes: ['${deadLetterContainer}/', '${undeliveredContainer}/']
    deadLetterDays: deadLetterDays
    softDeleteDays: softDeleteDays
  }
}

module cosmos 'modules/cosmos.bicep' = {
  name: 'decant-cosmos'
  params: {
    name: cosmosName
    database: cosmosDatabase
    location: location
    tags: allTags
    zoneRedundant: zoneRedundant
    privateNetwork: privateNetwork
    allowedIpRanges: allowedIpRanges
    vectorSearch: vectorSearch
    vectorDimensions: vectorDimensions
    vectorIndex: vectorIndex
    fullTextSearch: fullTextSearch
    fullTextLanguage: fullTextLanguage
  }
}

module endpoints 'modules/endpoints.bicep' = if (privateNetwork) {
  name: 'decant-endpoints'
  params: {
    vnetName: vnetName
    storageName: storageName
    cosmosName: cosmosName
    location: location
    tags: allTags
    storageSuffix: storageSuffix
    cosmosSuffix: cosmosDnsSuffix
  }
  dependsOn: [network, storage, cosmos]
}

module roles 'modules/roles.bicep' = {
  name: 'decant-roles'
  params: {
    storageName: storageName
    cosmosName: cosmosName
    insightsName: insightsName
    identityName: identityName
    principalId: principalId
    principalType: principalType
  }
  dependsOn: [identity, storage, cosmos, monitoring]
}

// Roles take minutes to spread. The app and the subscription come last, which buys most of them; when one is refused all the
// same, running the deployment again is the remedy.
module flex 'modules/flex.bicep' = if (plan == 'flex') {
  name: 'decant-flex'
  params: {
    appName: appName
    planName: planName
    identityName: identityName
    insightsName: insightsName
    location: location
    tags: allTags
    settings: settings
    packageUri: '${blobEndpoint}/${packageContainer}'
    maximumInstanceCount: maximumInstanceCount
    instanceMemoryMB: instanceMemoryMB
    alwaysReadyConvert: alwaysReadyConvert
    httpConcurrency: httpConcurrency
    zoneRedundant: zoneRedundant
    subnetId: privateNetwork ? resourceId('Microsoft.Network/virtualNetworks/subnets', vnetName, 'apps') : ''
  }
  dependsOn: [roles, network, endpoints]
}

module premium 'modules/premium.bicep' = if (plan == 'premium') {
  name: 'decant-premium'
  params: {
    appName: appName
    planName: planName
    identityName: identityName
    insightsName: insightsName
    location: location
    tags: allTags
    settings: settings
    packageUri: '${blobEndpoint}/${packageContainer}/released-package.zip'
    sku: premiumSku
    minimumInstances: premiumMinimumInstances
    maximumInstanceCount: maximumInstanceCount
    zoneRedundant: zoneRedundant
    subnetId: privateNetwork ? resourceId('Microsoft.Network/virtualNetworks/subnets', vnetName, 'apps') : ''
  }
  dependsOn: [roles, network, endpoints]
}

module containerapps 'modules/containerapps.bicep' = if (plan == 'containerapps') {
  name: 'decant-containerapps'
  params: {
    appName: appName
    environmentName: 'cae-${resourceToken}'
    identityName: identityName
    insightsName: insightsName
    workspaceName: workspaceName
    location: location
    tags: allTags
    settings: settings
    image: containerImage
    registryName: containerRegistryName
    cores: containerCores
    minimumReplicas: containerMinimumReplicas
    maximumInstanceCount: maximumInstanceCount
    zoneRedundant: zoneRedundant
    subnetId: privateNetwork ? resourceId('Microsoft.Network/virtualNetworks/subnets', vnetName, 'apps') : ''
  }
  dependsOn: [roles, network, endpoints]
}

module topic 'modules/topic.bicep' = if (empty(existingSystemTopicName)) {
  name: 'decant-topic'
  params: {
    name: topicName
    storageName: storageName
    location: location
    tags: allTags
  }
  dependsOn: [storage]
}

module topicRoles 'modules/topicroles.bicep' = {
  name: 'decant-topic-roles'
  params: {
    topicName: topicName
    storageName: storageName
  }
  dependsOn: [topic, storage]
}

// After the roles, and after the slow ones, so that the topic's roles have spread.
module subscriptions 'modules/subscriptions.bicep' = {
  name: 'decant-subscriptions'
  params: {
    topicName: topicName
    storageName: storageName
    queueName: conversionsQueue
    documentsContainer: documentsContainer
    undeliveredContainer: undeliveredContainer
    uploadPrefix: uploadPrefix
    uploadSuffixes: uploadSuffixes
    skipEmptyFiles: skipEmptyFiles
  }
  dependsOn: [topicRoles, storage, cosmos, flex, premium, containerapps]
}

module alerts 'modules/alerts.bicep' = {
  name: 'decant-alerts'
  params: {
    workspaceName: workspaceName
    actionGroupName: actionGroupName
    alertEmail: alertEmail
    location: location
    tags: allTags
    queues: [conversionsQueue, bulkQueue]
    queueAgeMinutes: queueAgeAlertMinutes
    failurePercent: failureAlertPercent
  }
  dependsOn: [monitoring]
}

module budget 'modules/budget.bicep' = if (budgetAmount > 0) {
  name: 'decant-budget'
  params: {
    name: 'budget-${resourceToken}'
    amount: budgetAmount
    startDate: budgetStart
    alertEmail: alertEmail
    actionGroupName: actionGroupName
  }
  dependsOn: [alerts]
}

// ---- outputs: names and numbers, no secrets

output AZURE_FUNCTION_APP_NAME string = appName
output AZURE_STORAGE_ACCOUNT string = storageName
output AZURE_RESOURCE_GROUP string = resourceGroup().name
output DECANT_STORAGE_ACCOUNT string = storageName
output DECANT_COSMOS_ENDPOINT string = cosmosEndpoint
output DECANT_PLAN string = plan
output DECANT_PACKAGE_CONTAINER string = '${blobEndpoint}/${packageContainer}'
output DECANT_API string = plan == 'containerapps' ? '' : 'https://${appName}.azurewebsites.net/api'
output DECANT_SLOTS_PER_INSTANCE int = slots
output DECANT_MAX_CONVERSIONS int = maximumInstanceCount * slots
output DECANT_CONCURRENCY string = '${maximumInstanceCount} instances × ${slots} conversions = ${maximumInstanceCount * slots} at once for each queue function on Flex, for the app on the other plans; the host hands out up to ${batchSize + newBatchThreshold} messages an instance'
output DECANT_LARGEST_DOCUMENT string = '${inputMB} MiB'
