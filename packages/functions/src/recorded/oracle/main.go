// The oracle of the functions: evaluates expressions with the functions of Terraform or OpenTofu, linked in from
// their source, and says exactly what came out, unknown values and marks included.
// Built and run by ../matrix.mjs inside a copy of that source. Takes the path of values.json; reads a JSON array of
// expressions from standard input and writes a line of JSON for each.
package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform/internal/lang"
	"github.com/hashicorp/terraform/internal/lang/marks"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type refinement struct {
	NotNull   bool    `json:"notNull"`
	Prefix    *string `json:"prefix"`
	Min       *int64  `json:"min"`
	Max       *int64  `json:"max"`
	MinLength *int    `json:"minLength"`
	MaxLength *int    `json:"maxLength"`
}

type definition struct {
	Type    json.RawMessage `json:"type"`
	Value   json.RawMessage `json:"value"`
	Unknown *refinement     `json:"unknown"`
	Marks   []string        `json:"marks"`
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (d definition) value() cty.Value {
	ty, err := ctyjson.UnmarshalType(d.Type)
	must(err)
	var v cty.Value
	if d.Unknown == nil {
		v, err = ctyjson.Unmarshal(d.Value, ty)
		must(err)
	} else {
		v = cty.UnknownVal(ty)
		r, b := d.Unknown, v.Refine()
		if r.NotNull {
			b = b.NotNull()
		}
		if r.Prefix != nil {
			b = b.StringPrefixFull(*r.Prefix)
		}
		if r.Min != nil {
			b = b.NumberRangeLowerBound(cty.NumberIntVal(*r.Min), true)
		}
		if r.Max != nil {
			b = b.NumberRangeUpperBound(cty.NumberIntVal(*r.Max), true)
		}
		if r.MinLength != nil {
			b = b.CollectionLengthLowerBound(*r.MinLength)
		}
		if r.MaxLength != nil {
			b = b.CollectionLengthUpperBound(*r.MaxLength)
		}
		v = b.NewValue()
	}
	for _, m := range d.Marks {
		if m == "sensitive" {
			v = v.Mark(marks.Sensitive)
		} else {
			v = v.Mark(marks.Ephemeral)
		}
	}
	return v
}

func number(f *big.Float) any {
	if f.IsInf() {
		return map[string]any{"#": f.Text('g', 10)}
	}
	if n, acc := f.Int64(); acc == big.Exact && n < 1<<53 && n > -1<<53 {
		return n
	}
	// All digits, which a reader of JSON numbers would lose.
	return map[string]any{"#": f.Text('f', -1)}
}

func bound(v cty.Value, inclusive bool) any {
	return []any{number(v.AsBigFloat()), inclusive}
}

func unknown(v cty.Value) any {
	out := map[string]any{}
	ty := v.Type()
	rng := v.Range()
	if rng.DefinitelyNotNull() {
		out["notNull"] = true
	}
	switch {
	case ty == cty.String:
		if p := rng.StringPrefix(); p != "" {
			out["prefix"] = p
		}
	case ty == cty.Number:
		if v, inc := rng.NumberLowerBound(); v.IsKnown() && !v.AsBigFloat().IsInf() {
			out["min"] = bound(v, inc)
		}
		if v, inc := rng.NumberUpperBound(); v.IsKnown() && !v.AsBigFloat().IsInf() {
			out["max"] = bound(v, inc)
		}
	case ty.IsCollectionType():
		if n := rng.LengthLowerBound(); n != 0 {
			out["minLength"] = n
		}
		if n := rng.LengthUpperBound(); n < 1<<40 {
			out["maxLength"] = n
		}
	}
	return map[string]any{"unknown": out}
}

func plain(v cty.Value) any {
	ty := v.Type()
	switch {
	case !v.IsKnown():
		return unknown(v)
	case v.IsNull():
		return nil
	case ty == cty.String:
		return v.AsString()
	case ty == cty.Number:
		return number(v.AsBigFloat())
	case ty == cty.Bool:
		return v.True()
	case ty.IsMapType() || ty.IsObjectType():
		out := map[string]any{}
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			out[k.AsString()] = shown(e)
		}
		return map[string]any{"{}": out}
	case ty.IsListType() || ty.IsSetType() || ty.IsTupleType():
		out := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			out = append(out, shown(e))
		}
		return out
	case ty.IsCapsuleType():
		return "capsule"
	default:
		return fmt.Sprintf("%#v", v)
	}
}

func shown(v cty.Value) any {
	bare, ms := v.Unmark()
	if len(ms) == 0 {
		return plain(v)
	}
	names := []string{}
	for m := range ms {
		switch m {
		case marks.Sensitive:
			names = append(names, "sensitive")
		case marks.Ephemeral:
			names = append(names, "ephemeral")
		case marks.TypeType:
			names = append(names, "typeValue")
		default:
			names = append(names, fmt.Sprintf("%#v", m))
		}
	}
	sort.Strings(names)
	return map[string]any{"marks": names, "of": plain(bare)}
}

type fault struct {
	Summary string `json:"summary"`
	Detail  string `json:"detail"`
	At      string `json:"at"`
}

func answer(expression string, ctx *hcl.EvalContext) (out map[string]any) {
	out = map[string]any{"expression": expression}
	defer func() {
		if r := recover(); r != nil {
			out["panic"] = fmt.Sprint(r)
		}
	}()
	parsed, diags := hclsyntax.ParseExpression([]byte(expression), "", hcl.InitialPos)
	var v cty.Value
	if !diags.HasErrors() {
		v, diags = parsed.Value(ctx)
	}
	if diags.HasErrors() {
		faults := []fault{}
		for _, d := range diags {
			if _, why, crashed := strings.Cut(d.Detail, "panic in function implementation: "); crashed {
				out["panic"], _, _ = strings.Cut(why, "\n")
				return out
			}
			at := ""
			if d.Subject != nil {
				at = fmt.Sprintf("%d-%d", d.Subject.Start.Byte, d.Subject.End.Byte)
			}
			faults = append(faults, fault{d.Summary, d.Detail, at})
		}
		out["errors"] = faults
		return out
	}
	if ty, err := ctyjson.MarshalType(v.Type()); err == nil {
		out["type"] = json.RawMessage(ty)
	} else {
		out["type"] = v.Type().FriendlyName()
	}
	out["value"] = shown(v)
	return out
}

func main() {
	values, err := os.ReadFile(os.Args[1])
	must(err)
	var definitions map[string]definition
	must(json.Unmarshal(values, &definitions))
	variables := map[string]cty.Value{}
	for name, d := range definitions {
		variables[name] = d.value()
	}
	var expressions []string
	must(json.NewDecoder(os.Stdin).Decode(&expressions))
	scope := &lang.Scope{BaseDir: ".", PlanTimestamp: time.Unix(1700000000, 0).UTC()}
	pure := &lang.Scope{BaseDir: ".", PureOnly: true, PlanTimestamp: scope.PlanTimestamp}
	console := &lang.Scope{BaseDir: ".", ConsoleMode: true}
	functions := map[string]function.Function{}
	for name, f := range scope.Functions() {
		functions[name] = f
	}
	// What impure functions give in a plan, and what only the console has.
	for _, name := range []string{"bcrypt", "timestamp", "uuid"} {
		functions["planned::"+name] = pure.Functions()[name]
	}
	functions["console::type"] = console.Functions()["type"]
	ctx := &hcl.EvalContext{Variables: variables, Functions: functions}
	cwd, err := os.Getwd()
	must(err)
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for _, e := range expressions {
		must(enc.Encode(answer(e, ctx)))
	}
	fmt.Print(strings.ReplaceAll(text.String(), cwd, "/project"))
}
