resource "random_string" "other" {
  length = 3
}

output "from" {
  value = "${path.root} ${path.module} ${random_string.other.result}"
}

provider "random" {
  alias = "other"
}
