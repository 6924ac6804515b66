terraform {
  provider_meta "x" {}
  provider_meta "x" {}
}
