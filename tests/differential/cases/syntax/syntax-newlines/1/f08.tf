variable "x" { type = string default = 1 }
