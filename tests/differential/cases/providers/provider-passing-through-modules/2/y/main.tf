resource "null_resource" "x" { 
  provider = null
}
