locals {
  list   = ["a", "b"]
  object = { name = "n", size = 5 }
  index  = 7
  long   = "a long text that is longer than what fits into a line of a diagnostic and is cut somewhere"
}

variable "secret" {
  default   = "s"
  sensitive = true
}

resource "terraform_data" "each" {
  for_each = { a = 1 }
  input    = local.list[each.value + local.index]
}

module "m" {
  source = "./m"
  in     = "x"
}

output "index" {
  value = local.list[local.index]
}

output "attribute" {
  value = local.object.nothing
}

output "operator" {
  value = local.object + 1
}

output "function" {
  value = tonumber(local.long)
}

output "sensitive" {
  value     = tonumber(var.secret)
  sensitive = true
}

output "multi_line" {
  value = join(",", {
    a = 1
    b = 2
  })
}
