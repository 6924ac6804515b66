output "a" { value = "😀é👨‍👩‍👧 日本" + nope }
output "é" { value = ñ.x }
output "b" { value = "é" + foo("日本") + var.x }
