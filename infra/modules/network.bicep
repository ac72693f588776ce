// The virtual network: one subnet for the app, one for private endpoints.
param name string
param location string
param tags object
param addressPrefix string
@description('Microsoft.App/environments for Flex and Container Apps, Microsoft.Web/serverFarms for Elastic Premium.')
param delegation string

resource vnet 'Microsoft.Network/virtualNetworks@2024-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: [addressPrefix] }
    subnets: [
      {
        name: 'apps'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 24, 0)
          delegations: [
            { name: 'app', properties: { serviceName: delegation } }
          ]
        }
      }
      {
        name: 'endpoints'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 24, 1)
          privateEndpointNetworkPolicies: 'Disabled'
        }
      }
    ]
  }
}
