terraform {
  required_providers {
    bad     = { source = "a/b/c/d" }
    version = { source = "hashicorp/null", version = "one" }
    word    = "not a version"
    extra   = { source = "hashicorp/null", nonsense = 1 }
  }
}
