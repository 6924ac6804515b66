terraform {
  experiments = foo
}
