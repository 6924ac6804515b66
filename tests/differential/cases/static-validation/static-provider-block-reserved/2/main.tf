provider {}
provider "a" "b" {}
