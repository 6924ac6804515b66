resource "terraform_data" "impure" {
  input = {
    uuid      = uuid()
    timestamp = timestamp()
    length    = length(uuid())
  }
}

output "length" { value = length(timestamp()) }
output "plan_time" { value = length(plantimestamp()) }
output "compare" { value = timecmp(plantimestamp(), "2020-01-01T00:00:00Z") }
