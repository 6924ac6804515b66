variable "größe" {
  default = "groß"
}

locals {
  decomposed = "é"
  composed   = "é"
  名前         = "name"
  a-b        = "with-dash"
}

output "same" {
  value = [local.decomposed == local.composed, length(local.decomposed), length("👩‍👩‍👧‍👦"), { "é" = 1 }["é"]]
}

output "identifiers" {
  value = [var.größe, local.名前, local.a-b]
}

output "crlf" {
  value = module.crlf.all
}

module "crlf" {
  source = "./crlf"
}
