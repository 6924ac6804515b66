terraform {
  backend "a" "b" {}
  required_providers "x" {}
  provider_meta {}
}
