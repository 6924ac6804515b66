variables {
}
variables {
}
run "one" {
  variables {
  }
  variables {
  }
  plan_options {
  }
  plan_options {
  }
}
