variable "who" {
  type = string
}

variable "seconds" {
  type    = number
  default = 0
}

resource "terraform_data" "greeting" {
  input = "hello ${var.who}"
}

resource "time_sleep" "pause" {
  create_duration = "${var.seconds}s"
  triggers        = { greeting = terraform_data.greeting.id }
}

resource "terraform_data" "after" {
  input = time_sleep.pause.id
}

output "greeting" {
  value = terraform_data.greeting.output
}
