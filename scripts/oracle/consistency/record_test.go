// Runs scripted sequences through helper/retry of Terraform's plugin SDK, in virtual time, and records
// when it looked and what it said. See README.md beside this file.
package consistency

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"
)

// Look is what one call comes to. The last one of a script repeats.
type Look struct {
	// "" with Missing: there is no object
	State   string `json:"state,omitempty"`
	Missing bool   `json:"missing,omitempty"`
	Error   string `json:"error,omitempty"`
	// how long the call takes, in ms
	Takes int64 `json:"takes,omitempty"`
	// of retry only: the error may be tried again
	Retryable bool `json:"retryable,omitempty"`
	// of retry only: an empty error
	Empty bool `json:"empty,omitempty"`
}

type Case struct {
	Name    string   `json:"name"`
	Retry   bool     `json:"retry,omitempty"`
	Pending []string `json:"pending,omitempty"`
	Target  []string `json:"target,omitempty"`
	// all in ms
	Timeout      int64  `json:"timeout"`
	Delay        int64  `json:"delay,omitempty"`
	MinTimeout   int64  `json:"minTimeout,omitempty"`
	PollInterval int64  `json:"pollInterval,omitempty"`
	Checks       int    `json:"notFoundChecks,omitempty"`
	Occurrences  int    `json:"continuousTargetOccurrences,omitempty"`
	Cancel       int64  `json:"cancelAfter,omitempty"`
	Looks        []Look `json:"looks"`
}

type Recorded struct {
	Case
	// when each call began and when the wait ended, in ms
	Calls []int64 `json:"calls"`
	Ended int64   `json:"ended"`
	// number of the call whose result was given; 0: none
	Result int    `json:"result,omitempty"`
	Failed string `json:"failed,omitempty"`
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func run(c Case) (r Recorded) {
	r.Case = c
	r.Calls = []int64{}
	start := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if c.Cancel > 0 {
		time.AfterFunc(ms(c.Cancel), cancel)
	}
	over := false
	next := func() Look {
		if over {
			return Look{Error: "over"}
		}
		at := len(r.Calls)
		r.Calls = append(r.Calls, time.Since(start).Milliseconds())
		if at >= len(c.Looks) {
			at = len(c.Looks) - 1
		}
		time.Sleep(ms(c.Looks[at].Takes))
		return c.Looks[at]
	}
	var result any
	var err error
	if c.Retry {
		err = retry.RetryContext(ctx, ms(c.Timeout), func() *retry.RetryError {
			l := next()
			switch {
			case l.Empty && l.Retryable:
				return retry.RetryableError(nil)
			case l.Empty:
				return retry.NonRetryableError(nil)
			case l.Error == "":
				return nil
			case l.Retryable:
				return retry.RetryableError(errors.New(l.Error))
			}
			return retry.NonRetryableError(errors.New(l.Error))
		})
	} else {
		conf := retry.StateChangeConf{
			Pending: c.Pending, Target: c.Target, Timeout: ms(c.Timeout), Delay: ms(c.Delay),
			MinTimeout: ms(c.MinTimeout), PollInterval: ms(c.PollInterval),
			NotFoundChecks: c.Checks, ContinuousTargetOccurence: c.Occurrences,
			Refresh: func() (any, string, error) {
				l := next()
				number := len(r.Calls)
				if l.Error != "" {
					return nil, "", errors.New(l.Error)
				}
				if l.Missing {
					return nil, "", nil
				}
				return number, l.State, nil
			},
		}
		result, err = conf.WaitForStateContext(ctx)
	}
	over = true
	r.Ended = time.Since(start).Milliseconds()
	if n, ok := result.(int); ok && err == nil {
		r.Result = n
	}
	if err != nil {
		r.Failed = err.Error()
	}
	return r
}

func TestRecord(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("CASES"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	var all []Recorded
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			all = append(all, run(c))
			// Virtual time stands still when this function ends: what still runs has to end before.
			time.Sleep(time.Hour)
		})
	}
	out, err := json.MarshalIndent(map[string]any{
		"source":   "github.com/hashicorp/terraform-plugin-sdk/v2 v2.40.1 helper/retry, recorded by scripts/oracle/consistency",
		"recorded": all,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("RECORDED"), append(out, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
