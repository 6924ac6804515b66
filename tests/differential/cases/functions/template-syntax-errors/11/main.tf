output "a" { value = "\q \x41 \u12 \U0001" }
