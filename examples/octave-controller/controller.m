% A pole on a cart is held upright by state feedback. Octave finds the gain before the run, watches during it, and says
% afterwards how it went.
function p = controller ()
  pkg load control

  p.inputs = {"x", "", [0; 0; 0; 0]};                % position, velocity, angle, rate: one vector
  p.outputs = {"force", "N", 0; "cost", "", 0; "gain", "", [0 0 0 0]};
  p.parameters = {"cart", "kg", 1; "pole", "kg", 0.1; "length", "m", 0.5; "effort", "1/N2", 1};
  p.direct = true;                                   % the force depends on the state at the same instant
  p.period = 0.02;                                   % 50 times a second; in between, the force holds

  p.initialize = "[gain, Q] = design (cart, pole, length, effort); cost = 0; trajectory = [];";
  p.publish = "force = -gain * x;";
  p.step = "cost += dt * (x' * Q * x + effort * force ^ 2); trajectory(end + 1, :) = [t, x', force];";
  p.terminate = "judge ([trajectory; t, x', force], cost);";
end
