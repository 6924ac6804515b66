output "vpc_id" { value = "x" }
