provider "null" {}
provider "null" {}
provider "null" { alias = "a" }
provider "null" { alias = "a" }
