variable "id" {
  type    = number
  default = 9223372036854775807
}

resource "terraform_data" "numbers" {
  input = {
    third    = 1 / 3
    sum      = 0.1 + 0.2
    large    = 1e30
    larger   = 123456789012345678901234567890
    id       = var.id
    unsigned = 18446744073709551615
    tiny     = 1e-30
    negative = -9007199254740993
    huge     = 1e100
  }
}

output "third" { value = 1 / 3 }
output "two_thirds" { value = 2 / 3 }
output "sum" { value = 0.1 + 0.2 }
output "products" { value = [0.1 * 3, 1.1 * 1.1, 1e30 * 1e30, 3 * (1 / 3)] }
output "modulo" { value = [7 % 3, -7 % 3, 5.5 % 2, -5.5 % 3, 1e20 % 7] }
output "texts" { value = [tostring(1e30), "${0.1 + 0.2}", "${1 / 3}", "${100000000000000000000}", "${1.0}", "${1e-7}", "${-0}"] }
output "parsed" { value = [tonumber("1e3"), tonumber("0.10"), tonumber("123456789012345678901234567890"), tonumber("-5")] }
output "comparisons" { value = [0.1 + 0.2 == 0.3, 1 == 1.0, 9007199254740993 == 9007199254740992, 1 / 3 * 3 == 1] }
output "id_plus_one" { value = var.id + 1 }
output "division" { value = [10 / 4, 10 / 5, 1 / 8, 22 / 7] }
output "precedence" { value = [1 + 2 * 3, (1 + 2) * 3, -2 * -3, 10 - 4 - 3, 2 * 3 % 4] }
output "json" { value = jsonencode([1 / 3, 1e30, 0.1 + 0.2, 9223372036854775807]) }
