package doctor

import (
	"context"
	"strings"
)

// Settings looks at the environment for what breaks an app although every single value is right.
func Settings(get func(string) string) Check {
	return Check{"settings", func(context.Context) Finding {
		identity := get("AzureWebJobsStorage__credential") != "" || get("AzureWebJobsStorage__accountName") != ""
		switch {
		case identity && get("AzureWebJobsStorage") != "":
			return failed("Delete the setting AzureWebJobsStorage; an app with shared keys off cannot use it.",
				"AzureWebJobsStorage holds a connection string, which wins over the identity settings beside it")
		case get("AzureWebJobsStorage__serviceUri") != "":
			return failed("Set blobServiceUri, queueServiceUri and tableServiceUri instead.", "AzureWebJobsStorage__serviceUri alone breaks poison messages")
		case strings.EqualFold(get("AzureFunctionsJobHost__extensions__queues__messageEncoding"), "base64"):
			return failed("Set it to none: decant reads both.", "messageEncoding is base64: the host would put messages in plain JSON on the poison queue, unread and without a reason")
		case get("DocStorage__credential") == "managedidentity" && get("AZURE_CLIENT_ID") == "" && get("DocStorage__clientId") != "":
			return failed("Set AZURE_CLIENT_ID to the client id of the app's identity.", "the host signs in with a user-assigned identity, and decant is not told which")
		}
		return fine("no contradictions")
	}}
}
