resources "a" "b" {}
resorce "a" "b" {}
outptu "a" {}
varable "x" {}
foo {}
module_ "x" {}
atlas {}
