output "a" {
  value = 1
  precondition {
    condition     = 1 == 2
    error_message = "Never ${1 + 1}."
  }
  precondition {
    condition     = null
    error_message = "x"
  }
  precondition {
    condition     = "maybe"
    error_message = "x"
  }
}
output "b" {
  value = sensitive("x")
  sensitive = true
  precondition {
    condition     = sensitive(false)
    error_message = "Secret ${sensitive("s")}"
  }
  precondition {
    condition     = false
    error_message = null
  }
}
module "m" {
  source = "./m"
  count  = 2
  n      = count.index
}
