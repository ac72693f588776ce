// Package account is what the Azure adapters share: how to sign in, and what a service's refusal means.
//
// Locally it is a connection string (UseDevelopmentStorage=true included); in Azure the app's identity, through
// DefaultAzureCredential with AZURE_TOKEN_CREDENTIALS, which keeps it from asking credentials that cannot be there.
package account
