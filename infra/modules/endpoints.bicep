// Private endpoints for blobs, queues, tables and Cosmos, each with its DNS zone.
param vnetName string
param storageName string
param cosmosName string
param location string
param tags object
param storageSuffix string
param cosmosSuffix string

resource vnet 'Microsoft.Network/virtualNetworks@2024-05-01' existing = {
  name: vnetName
}

resource storage 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: storageName
}

resource cosmos 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' existing = {
  name: cosmosName
}

var targets = [
  { name: 'blob', group: 'blob', zone: 'privatelink.blob.${storageSuffix}', service: storage.id }
  { name: 'queue', group: 'queue', zone: 'privatelink.queue.${storageSuffix}', service: storage.id }
  { name: 'table', group: 'table', zone: 'privatelink.table.${storageSuffix}', service: storage.id }
  { name: 'cosmos', group: 'Sql', zone: 'privatelink.${cosmosSuffix}', service: cosmos.id }
]

resource zones 'Microsoft.Network/privateDnsZones@2020-06-01' = [for target in targets: {
  name: target.zone
  location: 'global'
  tags: tags
}]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2020-06-01' = [for (target, i) in targets: {
  parent: zones[i]
  name: 'to-${vnetName}'
  location: 'global'
  properties: {
    registrationEnabled: false
    virtualNetwork: { id: vnet.id }
  }
}]

resource privateEndpoints 'Microsoft.Network/privateEndpoints@2024-05-01' = [for target in targets: {
  name: 'pe-${target.name}-${vnetName}'
  location: location
  tags: tags
  properties: {
    subnet: { id: '${vnet.id}/subnets/endpoints' }
    privateLinkServiceConnections: [
      {
        name: target.name
        properties: { privateLinkServiceId: target.service, groupIds: [target.group] }
      }
    ]
  }
}]

resource records 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2024-05-01' = [for (target, i) in targets: {
  parent: privateEndpoints[i]
  name: 'default'
  properties: {
    privateDnsZoneConfigs: [
      { name: target.name, properties: { privateDnsZoneId: zones[i].id } }
    ]
  }
}]
