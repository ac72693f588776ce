// The ledger: serverless, reached with the identity only.
param name string
param database string
param location string
param tags object
param zoneRedundant bool
param privateNetwork bool
param allowedIpRanges array
param vectorSearch bool
param vectorDimensions int
param vectorIndex string
param fullTextSearch bool
param fullTextLanguage string

// Capabilities are read when the account is made; later changes may not reach it.
var capabilities = concat(
  [{ name: 'EnableServerless' }],
  vectorSearch ? [{ name: 'EnableNoSQLVectorSearch' }] : [],
  fullTextSearch ? [{ name: 'EnableNoSQLFullTextSearch' }] : []
)

// Every indexed path costs request units on each write: what nobody searches is left out, as in azure/cosmos/client.go.
var excludedPaths = [
  { path: '/text/?' }
  { path: '/embedding/*' }
  { path: '/boxes/*' }
  { path: '/attempts/*' }
  { path: '/warnings/*' }
  { path: '/"_etag"/?' }
]

resource account 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' = {
  name: name
  location: location
  tags: tags
  kind: 'GlobalDocumentDB'
  properties: {
    databaseAccountOfferType: 'Standard'
    capabilities: capabilities
    consistencyPolicy: { defaultConsistencyLevel: 'Session' }
    locations: [
      { locationName: location, failoverPriority: 0, isZoneRedundant: zoneRedundant }
    ]
    disableLocalAuth: true
    disableKeyBasedMetadataWriteAccess: true
    minimalTlsVersion: 'Tls12'
    publicNetworkAccess: privateNetwork && empty(allowedIpRanges) ? 'Disabled' : 'Enabled'
    ipRules: [for range in allowedIpRanges: { ipAddressOrRange: range }]
    backupPolicy: {
      type: 'Continuous'
      continuousModeProperties: { tier: 'Continuous7Days' }
    }
  }
}

resource db 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases@2025-10-15' = {
  parent: account
  name: database
  properties: {
    resource: { id: database }
  }
}

resource documents 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2025-10-15' = {
  parent: db
  name: 'documents'
  properties: {
    resource: union(
      {
        id: 'documents'
        partitionKey: { paths: ['/documentId'], kind: 'Hash', version: 2 }
        // An account without the capability may refuse even an empty list of such indexes.
        indexingPolicy: union(
          {
            automatic: true
            indexingMode: 'consistent'
            includedPaths: [{ path: '/*' }]
            excludedPaths: excludedPaths
          },
          vectorSearch ? { vectorIndexes: [{ path: '/embedding', type: vectorIndex }] } : {},
          fullTextSearch ? { fullTextIndexes: [{ path: '/text' }] } : {}
        )
      },
      vectorSearch
        ? {
            vectorEmbeddingPolicy: {
              vectorEmbeddings: [
                { path: '/embedding', dataType: 'float32', distanceFunction: 'cosine', dimensions: vectorDimensions }
              ]
            }
          }
        : {},
      fullTextSearch
        ? {
            fullTextPolicy: {
              defaultLanguage: fullTextLanguage
              fullTextPaths: [{ path: '/text', language: fullTextLanguage }]
            }
          }
        : {}
    )
  }
}

resource batches 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2025-10-15' = {
  parent: db
  name: 'batches'
  properties: {
    resource: {
      id: 'batches'
      partitionKey: { paths: ['/batchId'], kind: 'Hash', version: 2 }
      indexingPolicy: {
        automatic: true
        indexingMode: 'consistent'
        includedPaths: [{ path: '/*' }]
        excludedPaths: excludedPaths
      }
    }
  }
}
