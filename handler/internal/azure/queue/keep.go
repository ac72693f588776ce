package queue

import (
	"context"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// textKeeper takes the body off requests that only change a message's visibility. The service then leaves the text as it
// is (Update Message: "request body, optional"), but the SDK always sends one, which would empty the message.
type textKeeper struct{}

type textKept struct{}

func keepText(ctx context.Context) context.Context { return context.WithValue(ctx, textKept{}, true) }

// Do implements policy.Policy.
func (textKeeper) Do(req *policy.Request) (*http.Response, error) {
	if req.Raw().Context().Value(textKept{}) != nil {
		if err := req.SetBody(nil, ""); err != nil {
			return nil, err
		}
	}
	return req.Next()
}
