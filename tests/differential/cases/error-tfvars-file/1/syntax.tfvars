v = 
