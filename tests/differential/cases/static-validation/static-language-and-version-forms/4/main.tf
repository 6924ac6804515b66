terraform {
  foo = 1
  requiredproviders {}
  required_versions = "1"
  backnd "x" {}
}
