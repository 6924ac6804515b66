// A provider with a large schema, and nothing behind it: for the benchmark plugin-open-large-schema, see
// bench/plugin-workload.ts.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const attributes = 100 // of each type

// Set by the linker: -X main.resourceTypes=…
var resourceTypes = "1000"

type server struct {
	tfprotov6.ProviderServer // panics where something else is asked for
}

func resource() *tfprotov6.Schema {
	list := []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true, Description: "The id of the object."},
	}
	types := []tftypes.Type{
		tftypes.String,
		tftypes.Number,
		tftypes.Bool,
		tftypes.List{ElementType: tftypes.String},
		tftypes.Map{ElementType: tftypes.String},
		tftypes.Set{ElementType: tftypes.Object{AttributeTypes: map[string]tftypes.Type{
			"name": tftypes.String, "enabled": tftypes.Bool, "ports": tftypes.List{ElementType: tftypes.Number},
		}}},
	}
	for i := 1; i < attributes; i++ {
		list = append(list, &tfprotov6.SchemaAttribute{
			Name:            fmt.Sprintf("attribute_%04d", i),
			Type:            types[i%len(types)],
			Optional:        true,
			Computed:        i%3 == 0,
			Description:     fmt.Sprintf("Attribute %d of the object, with a sentence about what it is for, as long as such sentences commonly are.", i),
			DescriptionKind: tfprotov6.StringKindMarkdown,
		})
	}
	return &tfprotov6.Schema{Version: 1, Block: &tfprotov6.SchemaBlock{Attributes: list}}
}

func (server) capabilities() *tfprotov6.ServerCapabilities {
	return &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true}
}

func (s server) GetMetadata(context.Context, *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return &tfprotov6.GetMetadataResponse{ServerCapabilities: s.capabilities()}, nil
}

func (s server) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resources := map[string]*tfprotov6.Schema{}
	count, err := strconv.Atoi(resourceTypes)
	if err != nil {
		return nil, err
	}
	for i := 0; i < count; i++ {
		resources[fmt.Sprintf("large_type_%04d", i)] = resource()
	}
	return &tfprotov6.GetProviderSchemaResponse{
		Provider:           &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}},
		ResourceSchemas:    resources,
		ServerCapabilities: s.capabilities(),
	}, nil
}

func (server) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

func (server) GetFunctions(context.Context, *tfprotov6.GetFunctionsRequest) (*tfprotov6.GetFunctionsResponse, error) {
	return &tfprotov6.GetFunctionsResponse{}, nil
}

func (server) ValidateProviderConfig(_ context.Context, r *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: r.Config}, nil
}

func (server) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (server) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (server) PlanResourceChange(_ context.Context, r *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: r.ProposedNewState}, nil
}

func (server) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func main() {
	err := tf6server.Serve("registry.terraform.io/bench/large", func() tfprotov6.ProviderServer { return server{} })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
