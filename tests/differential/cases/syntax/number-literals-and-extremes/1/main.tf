locals {
  big  = 123456789012345678901234567890
  tiny = 1e-30
}
output "zero" { value = 0 }
output "leading_zero" { value = 007 }
output "exponent" { value = 1e3 }
output "exponent_plus" { value = 1E+3 }
output "exponent_minus" { value = 12.5e-3 }
output "trailing_zeros" { value = 1.500 }
output "safe_plus_one" { value = 9007199254740993 }
output "int64_max" { value = 9223372036854775807 + 1 }
output "big" { value = local.big }
output "big_squared" { value = local.big * local.big }
output "big_text" { value = "${local.big * local.big}" }
output "tiny" { value = local.tiny }
output "tiny_text" { value = "${local.tiny}" }
output "tiny_product" { value = local.tiny * local.tiny }
output "e100" { value = 1e100 }
output "e100_text" { value = "${1e100}" }
output "e400" { value = 1e400 }
output "e400_text" { value = "${1e400}" }
output "third" { value = 1 / 3 }
output "third_text" { value = "${1 / 3}" }
output "third_times" { value = 1 / 3 * 3 == 1 }
output "tenths" { value = 0.1 + 0.2 }
output "tenths_equal" { value = 0.1 + 0.2 == 0.3 }
output "seven_halves" { value = 7 / 2 }
output "two_thirds_text" { value = "x${2 / 3}" }
output "modulo" { value = [5 % 3, -5 % 3, 5 % -3, -5 % -3, 5.5 % 3, -5.5 % 3, 0.3 % 0.1, 1e20 % 7] }
output "modulo_big" { value = local.big % 97 }
output "pi" { value = 3.14159265358979323846264338327950288419716939937510582097494459 }
output "pi_text" { value = "${3.14159265358979323846264338327950288419716939937510582097494459}" }
output "decimal_text" { value = "${100.010}" }
output "list_text" { value = [for n in [1.0, 1.10, 1e1, 1e-1, 100000000000000000000000, 1e21] : "${n}"] }
output "from_text" { value = ["1.50" + 0, "1e3" * 1, " 1" == 1, "0x10" == 16, "-5" + 0] }
output "tonumber" { value = [tonumber("1.50"), tonumber("1e3"), tonumber("+5"), tonumber("00012")] }
output "json" { value = jsonencode([1.50, 1e3, 1e100, 1 / 3, 0.1 + 0.2, 12345678901234567890]) }
output "sum_of_many" { value = sum([0.1, 0.2, 0.3, 1e20, -1e20]) }
output "floats" { value = [1.7976931348623157e308, 4.9e-324, 2.2250738585072014e-308] }
output "half_even" { value = [0.5, 1.5, 2.5, floor(-0.5), ceil(-0.5)] }
output "negated" { value = [-1, - 1, -(-1), - - 1, !!true] }
