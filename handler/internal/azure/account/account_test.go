package account_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
)

func TestExpand(t *testing.T) {
	for _, short := range []string{"UseDevelopmentStorage=true", "usedevelopmentstorage=TRUE;", " UseDevelopmentStorage=true; "} {
		full := account.Expand(short)
		if account.Setting(full, "AccountName") != "devstoreaccount1" || !strings.Contains(full, "QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1") {
			t.Errorf("Expand(%q) = %q", short, full)
		}
		if key := account.Setting(full, "accountkey"); !strings.HasSuffix(key, "==") {
			t.Errorf("the key lost its end: %q", key)
		}
	}
	if got := account.Expand("AccountName=a;AccountKey=b=="); got != "AccountName=a;AccountKey=b==" {
		t.Errorf("Expand changed a whole connection string to %q", got)
	}
}

func TestFault(t *testing.T) {
	known := fault.New(fault.Gone, "", nil)
	for _, c := range []struct {
		name string
		err  error
		want fault.Kind
	}{
		{"nothing", nil, ""},
		{"known already", known, fault.Gone},
		{"missing", &azcore.ResponseError{StatusCode: 404}, fault.NotFound},
		{"exists", &azcore.ResponseError{StatusCode: 409}, fault.Conflict},
		{"other etag", &azcore.ResponseError{StatusCode: 412}, fault.Conflict},
		{"throttled", &azcore.ResponseError{StatusCode: 429}, fault.Throttled},
		{"forbidden", &azcore.ResponseError{StatusCode: 403}, fault.Storage},
		{"server error", &azcore.ResponseError{StatusCode: 500}, fault.Storage},
		{"no answer", errors.New("connection reset"), fault.Storage},
		{"cut off", context.DeadlineExceeded, fault.Storage},
	} {
		if got := fault.KindOf(account.Fault(c.err)); got != c.want {
			t.Errorf("%s: kind %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCredential: in a Functions app (the identity endpoint is set) the managed identity is asked and nothing else.
func TestCredential(t *testing.T) {
	var asked []string
	identity := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("resource")+" "+r.URL.Query().Get("client_id")+" "+r.Header.Get("X-IDENTITY-HEADER"))
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"access_token":"token","expires_on":"4102444800","resource":"r","token_type":"Bearer"}`))
	}))
	defer identity.Close()
	for choice, client := range map[string]string{"": "first", "ManagedIdentityCredential": "second"} { // tokens are kept by client
		t.Setenv("AZURE_TOKEN_CREDENTIALS", choice)
		t.Setenv("IDENTITY_ENDPOINT", identity.URL)
		t.Setenv("IDENTITY_HEADER", "secret")
		t.Setenv("AZURE_CLIENT_ID", client)
		asked = nil
		credential, err := account.Credential()
		if err != nil {
			t.Fatal(err)
		}
		token, err := credential.GetToken(t.Context(), policy.TokenRequestOptions{Scopes: []string{"https://storage.azure.com/.default"}})
		if err != nil || token.Token != "token" {
			t.Fatalf("GetToken = %+v, %v", token, err)
		}
		if want := "https://storage.azure.com " + client + " secret"; len(asked) != 1 || asked[0] != want {
			t.Errorf("AZURE_TOKEN_CREDENTIALS=%q: the identity endpoint was asked %q, want %q", choice, asked, want)
		}
	}
}

func TestCredentialWithoutAChoice(t *testing.T) {
	t.Setenv("AZURE_TOKEN_CREDENTIALS", "")
	t.Setenv("IDENTITY_ENDPOINT", "")
	_, err := account.Credential()
	if fault.KindOf(err) != fault.Storage || !strings.Contains(err.Error(), "AZURE_TOKEN_CREDENTIALS") {
		t.Errorf("Credential = %v, want a fault that names the variable", err)
	}
}
