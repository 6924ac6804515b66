resource "random_id" "x" { byte_length = 2 }
output "k" { value = random_id.x }
