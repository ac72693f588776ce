package account

import (
	"os"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"decant/handler/internal/fault"
)

// development is what UseDevelopmentStorage=true stands for; the SDK does not know it.
const development = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;" +
	"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;" +
	"BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1;" +
	"TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;"

// Expand gives a storage connection string that the SDK understands.
func Expand(connection string) string {
	if strings.EqualFold(strings.TrimRight(strings.TrimSpace(connection), ";"), "UseDevelopmentStorage=true") {
		return development
	}
	return connection
}

// Setting reads one setting of a connection string, "" when it is not there.
func Setting(connection, name string) string {
	for part := range strings.SplitSeq(connection, ";") {
		if key, value, ok := strings.Cut(part, "="); ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Credential signs in with the app's identity. In Azure (IDENTITY_ENDPOINT is set) and without another choice in
// AZURE_TOKEN_CREDENTIALS only the managed identity is asked; elsewhere AZURE_TOKEN_CREDENTIALS must be set, since asking
// everything in turn would wait for metadata addresses that do not answer.
func Credential() (azcore.TokenCredential, error) {
	if os.Getenv("AZURE_TOKEN_CREDENTIALS") == "" && os.Getenv("IDENTITY_ENDPOINT") != "" {
		o := &azidentity.ManagedIdentityCredentialOptions{}
		if id := os.Getenv("AZURE_CLIENT_ID"); id != "" {
			o.ID = azidentity.ClientID(id)
		}
		return signIn(azidentity.NewManagedIdentityCredential(o))
	}
	return signIn(azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{RequireAzureTokenCredentials: true}))
}

func signIn[T azcore.TokenCredential](credential T, err error) (azcore.TokenCredential, error) {
	if err != nil {
		return nil, fault.New(fault.Storage, "No identity to sign in to Azure with. Set AZURE_TOKEN_CREDENTIALS (prod in Azure, dev on a laptop), or give connection strings.", err)
	}
	return credential, nil
}

// Retries is how the services' refusals are waited for: as long as they say (Retry-After), else with back-off.
func Retries() policy.RetryOptions {
	return policy.RetryOptions{MaxRetries: 6, RetryDelay: 300 * time.Millisecond, MaxRetryDelay: 30 * time.Second, TryTimeout: 2 * time.Minute}
}
