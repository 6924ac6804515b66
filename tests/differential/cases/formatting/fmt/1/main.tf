variable "a" {
type=string
  default   =   "x"
    description="d" # comment
}


resource   "terraform_data"   "r" {
  input={
    a=1,
    bbb   = [1,2,
    3]
  }
  triggers_replace = [ "x" ,"y", ]
  lifecycle { create_before_destroy=true }
}
output "o" { value=var.a }
output "long" {
  value = "${var.a}"
  description = <<EOT
    kept   as =  is
EOT
  sensitive=  !true
}
locals {
  x = 1
  longer_name = 2

  y = (1+2)*3 - -4
  f = upper( "a" )
  c = var.a=="x"?1:2
  i = [for s in ["a"]:s if s!=""]
  /* block */ z=1 // end
}
