// A resource group with decant in it, for those who start from a subscription (azd does).
//
//   az deployment sub create -l <region> -f infra/main.subscription.bicep -p infra/main.subscription.parameters.json
//
// It has the parameters of main.bicep, with the same defaults, and passes all of them on.
targetScope = 'subscription'

@description('Resource group to make or to use.')
@minLength(1)
@maxLength(90)
param resourceGroupName string = 'rg-${environmentName}'

@description('Name of this installation, in tags and in names. azd gives AZURE_ENV_NAME.')
@minLength(1)
@maxLength(40)
param environmentName string = 'decant'

@description('Azure region of everything.')
param location string = deployment().location

@description('Tags for every resource, beside azd-env-name.')
param tags object = {}

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

@description('Name of an Event Grid system topic on the storage account that exists already, in this resource group, with a system-assigned identity; empty makes one.')
param existingSystemTopicName string = ''

@description('Only files below this folder of the documents container, such as inbox/; empty takes all.')
param uploadPrefix string = ''

@description('Only files with these endings, such as .pdf; empty takes all. At most 20.')
@maxLength(20)
param uploadSuffixes array = []

@description('Ignore files of no bytes. By default they are recorded as empty.')
param skipEmptyFiles bool = false

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

@description('Put storage and Cosmos behind private endpoints and the app into a virtual network.')
param privateNetwork bool = false

@description('With privateNetwork: public IP addresses or ranges that may upload and read all the same.')
param allowedIpRanges array = []

@description('Address space of the virtual network, a /22 or larger.')
param vnetAddressPrefix string = '10.90.0.0/22'

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

resource group 'Microsoft.Resources/resourceGroups@2024-11-01' = {
  name: resourceGroupName
  location: location
  tags: union(tags, { 'azd-env-name': environmentName })
}

module decant 'main.bicep' = {
  name: 'decant'
  scope: group
  params: {
    environmentName: environmentName
    location: location
    tags: tags
    plan: plan
    maximumInstanceCount: maximumInstanceCount
    instanceMemoryMB: instanceMemoryMB
    alwaysReadyConvert: alwaysReadyConvert
    httpConcurrency: httpConcurrency
    premiumSku: premiumSku
    premiumMinimumInstances: premiumMinimumInstances
    containerCores: containerCores
    containerMinimumReplicas: containerMinimumReplicas
    containerImage: containerImage
    containerRegistryName: containerRegistryName
    zoneRedundant: zoneRedundant
    conversionMemoryMB: conversionMemoryMB
    conversionTimeoutMinutes: conversionTimeoutMinutes
    functionTimeoutMinutes: functionTimeoutMinutes
    maxInputMB: maxInputMB
    maxTokens: maxTokens
    sandbox: sandbox
    logLevel: logLevel
    conversionsQueue: conversionsQueue
    bulkQueue: bulkQueue
    completedQueue: completedQueue
    maxDequeueCount: maxDequeueCount
    retryDelaySeconds: retryDelaySeconds
    sweepSchedule: sweepSchedule
    storageAccountName: storageAccountName
    documentsContainer: documentsContainer
    convertedContainer: convertedContainer
    deadLetterContainer: deadLetterContainer
    temporaryDays: temporaryDays
    deadLetterDays: deadLetterDays
    softDeleteDays: softDeleteDays
    existingSystemTopicName: existingSystemTopicName
    uploadPrefix: uploadPrefix
    uploadSuffixes: uploadSuffixes
    skipEmptyFiles: skipEmptyFiles
    cosmosAccountName: cosmosAccountName
    cosmosDnsSuffix: cosmosDnsSuffix
    vectorSearch: vectorSearch
    vectorDimensions: vectorDimensions
    vectorIndex: vectorIndex
    fullTextSearch: fullTextSearch
    fullTextLanguage: fullTextLanguage
    privateNetwork: privateNetwork
    allowedIpRanges: allowedIpRanges
    vnetAddressPrefix: vnetAddressPrefix
    principalId: principalId
    principalType: principalType
    alertEmail: alertEmail
    budgetAmount: budgetAmount
    budgetStart: budgetStart
    logRetentionDays: logRetentionDays
    logDailyCapGB: logDailyCapGB
    queueAgeAlertMinutes: queueAgeAlertMinutes
    failureAlertPercent: failureAlertPercent
  }
}

output AZURE_FUNCTION_APP_NAME string = decant.outputs.AZURE_FUNCTION_APP_NAME
output AZURE_STORAGE_ACCOUNT string = decant.outputs.AZURE_STORAGE_ACCOUNT
output AZURE_RESOURCE_GROUP string = decant.outputs.AZURE_RESOURCE_GROUP
output DECANT_STORAGE_ACCOUNT string = decant.outputs.DECANT_STORAGE_ACCOUNT
output DECANT_COSMOS_ENDPOINT string = decant.outputs.DECANT_COSMOS_ENDPOINT
output DECANT_PLAN string = decant.outputs.DECANT_PLAN
output DECANT_PACKAGE_CONTAINER string = decant.outputs.DECANT_PACKAGE_CONTAINER
output DECANT_API string = decant.outputs.DECANT_API
output DECANT_SLOTS_PER_INSTANCE int = decant.outputs.DECANT_SLOTS_PER_INSTANCE
output DECANT_MAX_CONVERSIONS int = decant.outputs.DECANT_MAX_CONVERSIONS
output DECANT_CONCURRENCY string = decant.outputs.DECANT_CONCURRENCY
output DECANT_LARGEST_DOCUMENT string = decant.outputs.DECANT_LARGEST_DOCUMENT
