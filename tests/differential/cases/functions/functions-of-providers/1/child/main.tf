terraform {
  required_providers {
    mine = {
      source = "hashicorp/time"
    }
  }
}

variable "at" {
  type = number
}

output "at" {
  value = "${var.at} ${provider::mine::duration_parse("${var.at}m").seconds}"
}
