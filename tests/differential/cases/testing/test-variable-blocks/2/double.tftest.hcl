variable "n" { default = 1 }
variable "n" { default = 1 }
variables { n = 2 }
run "x" {}
