run "one" {
  command = apply
  assert {
    condition     = local.t == terraform_data.a.output
    error_message = "no"
  }
}
run "two" {
  command = apply
  assert {
    condition     = output.p == plantimestamp() && output.u != uuid()
    error_message = "no"
  }
}
