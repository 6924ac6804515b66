// A program that drives the Terraform CLI by HashiCorp's library for that, as others do: a whole life of a
// configuration. It is given the path of a program named `terraform` and a directory, and prints what came
// of each call as a line of JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"
)

type step struct {
	Call   string `json:"call"`
	Result any    `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
	Exit   int    `json:"exit,omitempty"`
}

func tell(call string, result any, err error) {
	s := step{Call: call, Result: result}
	if err != nil {
		s.Error = strings.Join(strings.Fields(err.Error()), " ")
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			s.Exit = exit.ExitCode()
		}
	}
	line, failed := json.Marshal(s)
	if failed != nil {
		line, _ = json.Marshal(step{Call: call, Error: "cannot be told: " + failed.Error()})
	}
	fmt.Println(string(line))
}

// The parsed messages of a stream, without their times; in order of their text, as much runs side by side.
func stream(text []byte) []any {
	var all []any
	defer func() {
		sort.SliceStable(all, func(i, j int) bool { return fmt.Sprint(all[i]) < fmt.Sprint(all[j]) })
	}()
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		message, err := tfjson.UnmarshalLogMessage(line)
		if err != nil {
			all = append(all, "unreadable: "+string(line))
			continue
		}
		all = append(all, map[string]any{
			"type": fmt.Sprintf("%T", message), "level": message.Level(), "message": message.Message(),
		})
	}
	return all
}

func write(directory, name, text string) {
	if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o644); err != nil {
		panic(err)
	}
}

func main() {
	program, directory := os.Args[1], os.Args[2]
	ctx := context.Background()
	tf, err := tfexec.NewTerraform(directory, program)
	if err != nil {
		panic(err)
	}

	version, _, err := tf.Version(ctx, true)
	tell("version", fmt.Sprint(version), err)
	tell("init", nil, tf.Init(ctx, tfexec.Upgrade(false)))
	version, selected, err := tf.Version(ctx, true)
	tell("version after init", []any{fmt.Sprint(version), fmt.Sprint(selected)}, err)
	var initialised bytes.Buffer
	err = tf.InitJSON(ctx, &initialised)
	tell("init -json", stream(initialised.Bytes()), err)
	tell("get", nil, tf.Get(ctx, tfexec.Update(true)))

	checked, err := tf.Validate(ctx)
	tell("validate", checked, err)
	isFormatted, unformatted, err := tf.FormatCheck(ctx)
	tell("fmt -check", []any{isFormatted, unformatted}, err)
	text, err := tf.FormatString(ctx, "a   = 1\nbc = {\nd=2\n}\n")
	tell("fmt -", text, err)
	tell("fmt -write", nil, tf.FormatWrite(ctx, tfexec.Recursive(true)))
	isFormatted, unformatted, err = tf.FormatCheck(ctx)
	tell("fmt -check after", []any{isFormatted, unformatted}, err)

	schemas, err := tf.ProvidersSchema(ctx)
	tell("providers schema", schemas, err)
	functions, err := tf.MetadataFunctions(ctx)
	if err == nil {
		names := make([]string, 0, len(functions.Signatures))
		for name := range functions.Signatures {
			names = append(names, name)
		}
		sort.Strings(names)
		tell("metadata functions", names, err)
	} else {
		tell("metadata functions", nil, err)
	}
	graph, err := tf.Graph(ctx)
	tell("graph", graph, err)

	changes, err := tf.Plan(ctx, tfexec.Out("plan"), tfexec.Var("name=one"), tfexec.Lock(true))
	tell("plan", changes, err)
	plan, err := tf.ShowPlanFile(ctx, "plan")
	if err == nil {
		err = plan.Validate()
		relevant := plan.RelevantAttributes
		sort.Slice(relevant, func(i, j int) bool { return relevant[i].Resource < relevant[j].Resource })
	}
	tell("show plan", plan, err)
	raw, err := tf.ShowPlanFileRaw(ctx, "plan")
	tell("show plan for people", raw, err)
	tell("apply plan", nil, tf.Apply(ctx, tfexec.DirOrPlan("plan")))
	state, err := tf.Show(ctx)
	if err == nil {
		err = state.Validate()
	}
	tell("show", state, err)
	file, err := tf.ShowStateFile(ctx, "terraform.tfstate")
	tell("show of a state file", file, err)
	outputs, err := tf.Output(ctx)
	tell("output", outputs, err)

	var planned bytes.Buffer
	changes, err = tf.PlanJSON(ctx, &planned, tfexec.Var("name=two"))
	tell("plan -json", []any{changes, stream(planned.Bytes())}, err)
	changes, err = tf.Plan(ctx, tfexec.Var("name=one"))
	tell("plan without changes", changes, err)
	var applied bytes.Buffer
	err = tf.ApplyJSON(ctx, &applied, tfexec.Var("name=two"), tfexec.Replace("terraform_data.one"), tfexec.Parallelism(1))
	tell("apply -json", stream(applied.Bytes()), err)
	tell("apply with a fault", nil, tf.Apply(ctx, tfexec.Var("name=")))
	tell("apply of one", nil, tf.Apply(ctx, tfexec.Var("name=three"), tfexec.Target("terraform_data.one")))
	write(directory, "more.tfvars", "name = \"four\"\n")
	tell("apply with a file", nil, tf.Apply(ctx, tfexec.VarFile("more.tfvars"), tfexec.Refresh(false)))
	tell("refresh", nil, tf.Refresh(ctx, tfexec.Var("name=four")))

	tell("taint", nil, tf.Taint(ctx, "terraform_data.one"))
	tell("untaint", nil, tf.Untaint(ctx, "terraform_data.one"))
	tell("untaint of none", nil, tf.Untaint(ctx, "terraform_data.none"))
	tell("state mv", nil, tf.StateMv(ctx, "terraform_data.one", "terraform_data.moved"))
	tell("state mv back", nil, tf.StateMv(ctx, "terraform_data.moved", "terraform_data.one"))
	pulled, err := tf.StatePull(ctx)
	tell("state pull", json.RawMessage(pulled), err)
	write(directory, "pulled.json", pulled)
	tell("state push", nil, tf.StatePush(ctx, "pulled.json"))
	tell("state rm", nil, tf.StateRm(ctx, "terraform_data.one"))
	tell("import", nil, tf.Import(ctx, "terraform_data.one", "an-id", tfexec.Var("name=four")))
	tell("import of what is there", nil, tf.Import(ctx, "terraform_data.one", "an-id", tfexec.Var("name=four")))

	tell("workspace new", nil, tf.WorkspaceNew(ctx, "other"))
	names, current, err := tf.WorkspaceList(ctx)
	tell("workspace list", []any{names, current}, err)
	name, err := tf.WorkspaceShow(ctx)
	tell("workspace show", name, err)
	tell("workspace select", nil, tf.WorkspaceSelect(ctx, "default"))
	tell("workspace select of none", nil, tf.WorkspaceSelect(ctx, "none"))
	tell("workspace delete", nil, tf.WorkspaceDelete(ctx, "other"))

	tell("force-unlock", nil, tf.ForceUnlock(ctx, "2c9cd1b1-6b4b-4a1b-8b1b-0f6b1b6b1b6b"))
	var tested bytes.Buffer
	err = tf.Test(ctx, &tested)
	tell("test", stream(tested.Bytes()), err)

	tell("set environment", nil, tf.SetEnv(map[string]string{
		"HOME": os.Getenv("HOME"), "TF_CLI_CONFIG_FILE": os.Getenv("TF_CLI_CONFIG_FILE"),
		"PATH": os.Getenv("PATH"), "TF_DATA_DIR": os.Getenv("TF_DATA_DIR"),
		"TERRANE_BUNDLED_PROVIDERS": os.Getenv("TERRANE_BUNDLED_PROVIDERS"),
	}))
	var destroyed bytes.Buffer
	err = tf.DestroyJSON(ctx, &destroyed, tfexec.Var("name=four"))
	tell("destroy -json", stream(destroyed.Bytes()), err)
	tell("destroy", nil, tf.Destroy(ctx, tfexec.Var("name=four")))
	state, err = tf.Show(ctx)
	tell("show after", state, err)

	write(directory, "broken.tf", "resource \"terraform_data\" {\n")
	checked, err = tf.Validate(ctx)
	tell("validate of what is broken", checked, err)
	_, err = tf.Plan(ctx)
	tell("plan of what is broken", nil, err)
}
